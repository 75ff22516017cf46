/// The digits of a phone number as a person wrote it, without separators.
struct DialledText {
    /// The maximum size in UTF-8; a longer text is no phone number.
    static let lengthMax = 128
    static let digitCountMax = 32

    /// ASCII digits; without `+` or the prefix for calls abroad, without extension.
    let digits: String
    /// Whether the digits begin with a calling code.
    let isInternational: Bool

    /// - Parameter region: the region from which a number without `+` is dialled.
    init(_ text: String, region: String?) throws(PhoneNumberProblem) {
        let (dialled, hasPlus) = try Self.dialled(text)
        let called = hasPlus ? dialled[...] : try InternationalPrefixes(region: region).called(by: dialled[...])
        digits = called.map(String.init) ?? dialled
        isInternational = called != nil
    }

    /// Returns the digits and whether a plus is before them.
    private static func dialled(_ text: String) throws(PhoneNumberProblem) -> (digits: String, hasPlus: Bool) {
        guard text.utf8.count <= Self.lengthMax else { throw .tooLong }
        var digits = ""
        var hasPlus = false
        let scalars = Self.withoutScheme(text.unicodeScalars[...].trimmed).trimmed
        scan: for (scalar, index) in zip(scalars, scalars.indices) {
            switch Mark(scalar) {
            case .digit(let digit): digits.append(digit)
            case .filler: continue
            case .plus:
                guard digits.isEmpty, !hasPlus else { throw .badCharacter }
                hasPlus = true
            case .other:
                guard !digits.isEmpty, Extension.isOne(Substring(scalars[index...])) else {
                    throw .badCharacter
                }
                break scan
            }
        }
        guard !digits.isEmpty else { throw .empty }
        guard digits.utf8.count <= Self.digitCountMax else { throw .tooLong }
        return (digits, hasPlus)
    }

    /// A link to a number begins with `tel:` (RFC 3966), in any case.
    private static func withoutScheme(_ scalars: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        let scheme = "tel:"
        return String(scalars.prefix(scheme.count)).lowercased() == scheme ? scalars.dropFirst(scheme.count) : scalars
    }
}

extension Substring.UnicodeScalarView {
    /// The text without whitespace, line ends and invisible characters at either end.
    fileprivate var trimmed: Substring.UnicodeScalarView {
        let start = drop(while: \.isBlankOrInvisible)
        return start.lastIndex { !$0.isBlankOrInvisible }.map { start[...$0] } ?? start
    }
}

extension Unicode.Scalar {
    fileprivate var isBlankOrInvisible: Bool {
        // U+2800 BRAILLE PATTERN BLANK looks like a space but is not one.
        properties.isWhitespace || properties.isDefaultIgnorableCodePoint || self == "\u{2800}"
            || properties.generalCategory == .format
    }
}

extension DialledText {
    /// The meaning of a character in a phone number.
    fileprivate enum Mark {
        case digit(Character)
        case plus
        case filler
        case other

        init(_ scalar: Unicode.Scalar) {
            switch scalar {
            case "0"..."9": self = .digit(Character(scalar))
            case "+", "\u{FF0B}": self = .plus
            case _ where Self.separators.contains(scalar): self = .filler
            default: self = scalar.isASCII ? .other : Mark(beyondASCII: scalar)
            }
        }

        /// The characters that contacts, documents and keyboards put between digits, besides spaces, dashes and invisible
        /// marks: brackets, dots, slashes, tildes, the mathematical minus, the long vowel mark of Japanese keyboards, and
        /// the mark that makes a keycap of a digit.
        private static let separators = Set(
            (" -().[]/~\u{2212}\u{B7}\u{30FB}\u{2044}\u{2215}\u{2053}\u{223C}\u{30FC}\u{FF70}\u{20E3}"
                + "\u{FF08}\u{FF09}\u{FF0E}\u{FF0F}\u{FF3B}\u{FF3D}\u{FF5E}").unicodeScalars)

        /// Decimal digits of any script (full-width ones among them), spaces, dashes and invisible marks.
        private init(beyondASCII scalar: Unicode.Scalar) {
            if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue,
                let digit = (0...9).first(where: { Double($0) == value })
            {
                self = .digit(Character(String(digit)))
                return
            }
            switch scalar.properties.generalCategory {
            // Line ends within a number separate two numbers.
            case .lineSeparator, .paragraphSeparator, .control: self = .other
            case .spaceSeparator, .dashPunctuation: self = .filler
            default: self = scalar.isBlankOrInvisible ? .filler : .other
            }
        }
    }

    /// An extension after the number of a switchboard: `ext. 12`, `x12`, `#12`, `;ext=12`, `,12`.
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
