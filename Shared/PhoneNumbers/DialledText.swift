/// The digits of a phone number as somebody wrote it, without what people put between them.
struct DialledText {
    /// In bytes of UTF-8; more is no phone number.
    static let lengthMax = 128
    static let digitCountMax = 32

    /// ASCII digits; without `+` and `00`, without extension.
    let digits: String
    /// Whether the digits begin with a calling code.
    let isInternational: Bool

    init(_ text: String) throws(PhoneNumberProblem) {
        guard text.utf8.count <= Self.lengthMax else { throw .tooLong }
        var digits = ""
        var hasPlus = false
        scan: for (offset, scalar) in text.unicodeScalars.enumerated() {
            switch Mark(scalar) {
            case .digit(let digit): digits.append(digit)
            case .filler: continue
            case .plus:
                guard digits.isEmpty, !hasPlus else { throw .badCharacter }
                hasPlus = true
            case .other:
                guard !digits.isEmpty, Extension.isOne(Substring(text.unicodeScalars.dropFirst(offset))) else {
                    throw .badCharacter
                }
                break scan
            }
        }
        guard !digits.isEmpty else { throw .empty }
        guard digits.utf8.count <= Self.digitCountMax else { throw .tooLong }
        let hasDoubleZero = !hasPlus && digits.hasPrefix("00")
        self.digits = hasDoubleZero ? String(digits.dropFirst(2)) : digits
        isInternational = hasPlus || hasDoubleZero
    }
}

extension DialledText {
    /// What a character means in a phone number.
    fileprivate enum Mark {
        case digit(Character)
        case plus
        case filler
        case other

        init(_ scalar: Unicode.Scalar) {
            switch scalar {
            case "0"..."9": self = .digit(Character(scalar))
            case "+", "\u{FF0B}": self = .plus
            case " ", "-", "(", ")", ".", "\u{2212}", "\u{FF08}", "\u{FF09}", "\u{FF0E}": self = .filler
            default: self = scalar.isASCII ? .other : Mark(beyondASCII: scalar)
            }
        }

        /// Decimal digits of any script (full-width ones among them), spaces, dashes and invisible marks.
        private init(beyondASCII scalar: Unicode.Scalar) {
            if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue,
                let digit = (0...9).first(where: { Double($0) == value })
            {
                self = .digit(Character(String(digit)))
                return
            }
            switch scalar.properties.generalCategory {
            case .spaceSeparator, .dashPunctuation, .format: self = .filler
            default: self = .other
            }
        }
    }

    /// What follows the number of a switchboard: `ext. 12`, `x12`, `#12`, `;ext=12`, `,12`.
    fileprivate enum Extension {
        private static let markers = ["extension", "extn", "ext", "x", "#", ","]
        private static let digitCountMax = 10

        static func isOne(_ text: Substring) -> Bool {
            let start = text.lowercased().drop { $0 == ";" || $0 == " " }
            guard let marker = markers.first(where: { start.hasPrefix($0) }) else { return false }
            let number = start.dropFirst(marker.count).filter { !" .:=#\u{A0}".contains($0) }
            return (1...digitCountMax).contains(number.count)
                && number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
    }
}
