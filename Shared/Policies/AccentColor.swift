import Glibc

/// The color of the main button on pages and in mails, from `apps.accent`.
package struct AccentColor: Sendable, Equatable {
    /// The blue of apps that have not chosen a color.
    package static let standard = AccentColor(red: 0x1A, green: 0x56, blue: 0xDB)

    private let red, green, blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Reads `#rrggbb`, or returns `nil` if the text is anything else.
    package init?(hex text: String) {
        guard text.utf8.count == 7, text.first == "#", text.dropFirst().allSatisfy(\.isHexDigit),
            let value = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(
            red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value))
    }

    /// The color as CSS, e.g. `#1a56db`.
    package var css: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Black or white, the one that contrasts more with the color. The contrast is always at least 4.58, more than the 4.5
    /// that WCAG 2.2 (1.4.3) requires of text.
    package var textCSS: String { 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? "#ffffff" : "#000000" }

    /// The relative luminance, 0 for black and 1 for white (WCAG 2.2).
    private var luminance: Double {
        func linear(_ byte: UInt8) -> Double {
            let share = Double(byte) / 255
            return share > 0.04045 ? pow((share + 0.055) / 1.055, 2.4) : share / 12.92
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
