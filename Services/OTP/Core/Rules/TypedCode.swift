/// A code as a person typed it, in its one spelling: decimal digits of any script as ASCII, spaces and dashes dropped.
///
/// Whatever else the text holds stays in it, so that it is counted and compared, and is wrong (security guide R-52).
struct TypedCode: Sendable, Equatable {
    /// In bytes of UTF-8; what is longer is cut, and so is wrong.
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
