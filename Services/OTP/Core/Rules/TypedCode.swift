/// A code as a person typed it, in its one spelling: decimal digits of any script become ASCII, and spaces and dashes are removed.
///
/// Other characters are kept, so that such a text cannot be a code.
struct TypedCode: Sendable, Equatable {
    /// The greatest length in bytes of UTF-8. A longer text is cut, and is still longer than every code.
    private static let bytesMax = 64

    let text: String

    init(_ typed: String) {
        var text = ""
        for scalar in typed.unicodeScalars where text.utf8.count < Self.bytesMax {
            if let digit = Self.digit(scalar) {
                text.append(digit)
            } else if !Self.isFiller(scalar) {
                text.unicodeScalars.append(scalar)
            }
        }
        self.text = text
    }

    /// Whether the text can be a code of one of these lengths.
    func canBeCode(of lengths: [ClosedRange<Int>]) -> Bool {
        lengths.contains { $0.contains(text.utf8.count) } && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func digit(_ scalar: Unicode.Scalar) -> String? {
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue,
            let digit = Int(exactly: value)
        else { return nil }
        return String(digit)
    }

    private static func isFiller(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .dashPunctuation, .format, .control: true
        default: false
        }
    }
}
