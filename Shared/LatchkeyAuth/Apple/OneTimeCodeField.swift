#if canImport(SwiftUI)
public import SwiftUI

/// Boxes for the digits of a code. The system offers the code of a text message above the keyboard.
///
/// One text field lies under the boxes, so that filling in, pasting and VoiceOver work as in any other field.
@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
public struct OneTimeCodeField: View {
    @Binding private var entry: CodeEntry
    private let label: String
    @FocusState private var isFocused: Bool
    @ScaledMetric(relativeTo: .title) private var height = 52.0

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - label: what VoiceOver says, in the user's language.
    ///   - entry: the digits.
    public init(_ label: String, entry: Binding<CodeEntry>) {
        self.label = label
        _entry = entry
    }

    public var body: some View {
        ZStack {
            HStack(spacing: 8) {
                ForEach(0..<entry.length, id: \.self) { box in
                    Text(entry.digit(box).map { String($0) } ?? " ")
                        .font(.title)
                        // The boxes grow with the text, and their digits shrink before they are cut off.
                        .minimumScaleFactor(0.5)
                        .frame(maxWidth: .infinity, minHeight: height)
                        .background(
                            RoundedRectangle(cornerRadius: 8).stroke(isCurrent(box) ? Color.accentColor : .secondary))
                }
            }
            .accessibilityHidden(true)
            field
        }
        .onAppear { isFocused = true }
    }

    private var field: some View {
        TextField(label, text: $entry.text)
            .focused($isFocused)
            #if canImport(UIKit) && !os(watchOS)
        .keyboardType(.numberPad)
        .textContentType(.oneTimeCode)
            #endif
            .foregroundStyle(.clear)
            .tint(.clear)
            .frame(minHeight: height)
            .accessibilityLabel(label)
            .accessibilityValue(entry.digits)
    }

    private func isCurrent(_ box: Int) -> Bool { isFocused && box == min(entry.digits.count, entry.length - 1) }
}
#endif
