public import Foundation
public import Observation

public enum StubKeyboard: Sendable { case numberPad, phonePad, emailAddress }
public enum StubContentType: Sendable { case oneTimeCode, telephoneNumber, emailAddress, name }
public enum StubCapitalization: Sendable { case never }
public enum StubPickerStyle: Sendable { case segmented }
public enum StubButtonStyle: Sendable { case borderedProminent }
public enum ControlSize: Sendable { case large }
public enum Visibility: Sendable { case visible }
public enum AccessibilityChildBehavior: Sendable { case combine }

extension View {
    public func font(_ font: Font?) -> some View { self }
    public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> some View { self }
    public func tint(_ color: Color?) -> some View { self }
    public func minimumScaleFactor(_ factor: Double) -> some View { self }
    public func frame(maxWidth: Double? = nil, minHeight: Double? = nil) -> some View { self }
    public func padding() -> some View { self }
    public func background<Background: View>(_ background: Background) -> some View { self }
    public func disabled(_ isDisabled: Bool) -> some View { self }
    public func tag<Tag: Hashable>(_ tag: Tag) -> some View { self }

    public func keyboardType(_ type: StubKeyboard) -> some View { self }
    public func textContentType(_ type: StubContentType?) -> some View { self }
    public func textInputAutocapitalization(_ autocapitalization: StubCapitalization?) -> some View { self }
    public func autocorrectionDisabled(_ isDisabled: Bool = true) -> some View { self }
    public func pickerStyle(_ style: StubPickerStyle) -> some View { self }
    public func buttonStyle(_ style: StubButtonStyle) -> some View { self }
    public func controlSize(_ size: ControlSize) -> some View { self }
    public func focused(_ condition: FocusState<Bool>.Binding) -> some View { self }

    public func accessibilityLabel<Label: StringProtocol>(_ label: Label) -> some View { self }
    public func accessibilityValue<Value: StringProtocol>(_ value: Value) -> some View { self }
    public func accessibilityHidden(_ isHidden: Bool) -> some View { self }
    public func accessibilityElement(children: AccessibilityChildBehavior) -> some View { self }

    public func environment<Object: AnyObject & Observable>(_ object: Object?) -> some View { self }
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }
    public func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
    public func onChange<Value: Equatable>(of value: Value, _ action: @escaping () -> Void) -> some View { self }
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
    public func refreshable(action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }

    public func navigationTitle<Title: StringProtocol>(_ title: Title) -> some View { self }
    public func navigationDestination<Item: Hashable, Destination: View>(
        item: Binding<Item?>, @ViewBuilder destination: @escaping (Item) -> Destination
    ) -> some View { self }
    public func confirmationDialog<Title: StringProtocol, Actions: View>(
        _ title: Title, isPresented: Binding<Bool>, titleVisibility: Visibility, @ViewBuilder actions: () -> Actions
    ) -> some View { self }
}
