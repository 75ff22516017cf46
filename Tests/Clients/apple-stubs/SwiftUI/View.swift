// The declarations of SwiftUI that the library and deploy/apps/ios use, for the compiler only: no view is ever drawn.

@MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View { public var body: Never { fatalError("a stand-in for the compiler") } }

/// A view without content, which all views of the system are here.
public protocol StubView: View where Body == Never {}
extension StubView { public var body: Never { fatalError("a stand-in for the compiler") } }

public struct EmptyView: StubView { public nonisolated init() {} }
public struct TupleView<Views>: StubView { init(_ views: Views) {} }
public struct ConditionalView<First: View, Second: View>: StubView {}

extension Optional: View where Wrapped: View { public var body: Never { fatalError("a stand-in for the compiler") } }

@resultBuilder @MainActor public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        TupleView((repeat each content))
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> ConditionalView<First, Second> {
        ConditionalView()
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalView<First, Second> {
        ConditionalView()
    }
}

@MainActor public protocol Scene {}

@resultBuilder @MainActor public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@MainActor public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}

extension App { public static func main() { fatalError("a stand-in for the compiler") } }

public struct WindowGroup<Content: View>: Scene { public init(@ViewBuilder content: () -> Content) {} }
