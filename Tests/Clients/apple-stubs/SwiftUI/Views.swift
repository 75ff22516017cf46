public import Foundation

public struct Text: StubView { public init<Content: StringProtocol>(_ content: Content) {} }
public struct Image: StubView { public init(systemName: String) {} }
public struct ProgressView: StubView { public init() {} }

public struct Label: StubView { public init<Title: StringProtocol>(_ title: Title, systemImage: String) {} }

public struct ButtonRole: Sendable, Equatable { public static let destructive = ButtonRole() }

public struct Button: StubView {
    public init<Title: StringProtocol>(
        _ title: Title, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) {}
}

public struct TextField: StubView { public init<Title: StringProtocol>(_ title: Title, text: Binding<String>) {} }

public struct Picker: StubView {
    public init<Title: StringProtocol, Value: Hashable, Content: View>(
        _ title: Title, selection: Binding<Value>, @ViewBuilder content: () -> Content
    ) {}
}

public enum HorizontalAlignment: Sendable { case leading, center, trailing }

public struct VStack: StubView {
    public init<Content: View>(
        alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content
    ) {}
}

public struct HStack: StubView {
    public init<Content: View>(spacing: Double? = nil, @ViewBuilder content: () -> Content) {}
}

public struct ZStack: StubView { public init<Content: View>(@ViewBuilder content: () -> Content) {} }
public struct ScrollView: StubView { public init<Content: View>(@ViewBuilder content: () -> Content) {} }
public struct Form: StubView { public init<Content: View>(@ViewBuilder content: () -> Content) {} }
public struct List: StubView { public init<Content: View>(@ViewBuilder content: () -> Content) {} }
public struct Section: StubView { public init<Content: View>(@ViewBuilder content: () -> Content) {} }
public struct NavigationStack: StubView { public init<Content: View>(@ViewBuilder content: () -> Content) {} }

public struct NavigationLink: StubView {
    public init<Title: StringProtocol, Destination: View>(_ title: Title, @ViewBuilder destination: () -> Destination) {
    }
}

public struct ForEach: StubView {
    public init<Content: View>(
        _ data: Range<Int>, id: KeyPath<Int, Int>, @ViewBuilder content: @escaping (Int) -> Content
    ) {}

    public init<Data: RandomAccessCollection, Content: View>(
        _ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) where Data.Element: Identifiable {}
}

public struct PeriodicSchedule: Sendable {}

extension PeriodicSchedule {
    public static func periodic(from date: Date, by interval: TimeInterval) -> Self { Self() }
}

public struct TimelineContext: Sendable { public let date: Date }

public struct TimelineView: StubView {
    public init<Content: View>(
        _ schedule: PeriodicSchedule, @ViewBuilder content: @escaping (TimelineContext) -> Content
    ) {}
}

public struct Color: Sendable, ShapeStyle {
    // swift-format-ignore: DontRepeatTypeInStaticProperties
    public static let accentColor = Color()
    public static let secondary = Color()
    public static let clear = Color()
    public static let red = Color()
}

public protocol ShapeStyle: Sendable {}
extension ShapeStyle where Self == Color {
    public static var red: Color { Color() }
    public static var clear: Color { Color() }
}

public struct RoundedRectangle: Sendable {
    public init(cornerRadius: Double) {}

    @MainActor public func stroke<Style: ShapeStyle>(_ style: Style) -> some View { EmptyView() }
}

public struct Font: Sendable {
    public enum TextStyle: Sendable { case title, body }
    public static let body = Font()
    public static let headline = Font()
    public static let title = Font()
    public static let title2 = Font()
    public static let largeTitle = Font()
}
