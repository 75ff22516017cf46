/// A normalised email address: all in lower case, its domain in ASCII. Mail is sent to this spelling.
///
/// A domain with other letters is converted (`InternationalDomain`); the local part is ASCII. The subset of RFC 5321 §4.1.2
/// is what people use: a dot-atom (RFC 5322 §3.2.3) of at most 64 bytes, and a domain of two or more labels of letters,
/// digits and hyphens (RFC 5890 §2.3.1), including `xn--`; at most 254 bytes.
package struct EmailAddress: Sendable, Hashable {
    package static let byteCountMax = 254
    private static let localByteCountMax = 64
    /// The limit before the domain is converted: a letter has at most four bytes.
    private static let typedByteCountMax = 4 * byteCountMax

    /// The part before the `@`.
    package let local: String
    package let domain: String
    package var text: String { "\(local)@\(domain)" }

    /// - Parameter text: An address as a person typed it. Whitespace, line ends and invisible characters around it are
    ///   dropped.
    package init(parsing text: String) throws(EmailAddressProblem) {
        let bytes = Array(text.unicodeScalars[...].trimmed.utf8)[...]
        guard bytes.count <= Self.typedByteCountMax, let at = bytes.firstIndex(of: UInt8(ascii: "@")) else {
            throw EmailAddressProblem()
        }
        let local = bytes[..<at]
        guard local.count <= Self.localByteCountMax, local.isDotAtom,
            let domain = InternationalDomain.ascii(bytes[(at + 1)...]), domain.isDomain,
            local.count + 1 + domain.count <= Self.byteCountMax
        else { throw EmailAddressProblem() }
        self.local = local.lowercased
        self.domain = domain.lowercased
    }

    /// The mailbox for which sent mails are counted. The part after the first `+` is ignored, and so are dots at Google,
    /// whose two domains count as one.
    ///
    /// Only for limits: elsewhere the two spellings may belong to two people.
    package var mailbox: String {
        let base = local.prefix { $0 != "+" }
        guard domain == "gmail.com" || domain == "googlemail.com" else { return "\(base)@\(domain)" }
        return "\(base.filter { $0 != "." })@gmail.com"
    }
}

/// A text is no e-mail address.
package struct EmailAddressProblem: Error, Sendable, Equatable {
    package init() {}
}

extension Substring.UnicodeScalarView {
    /// The text without whitespace, line ends, zero-width characters and direction marks at either end.
    fileprivate var trimmed: Substring {
        let start = drop(while: \.isBlankOrInvisible)
        return Substring(start.lastIndex { !$0.isBlankOrInvisible }.map { start[...$0] } ?? start)
    }
}

extension Unicode.Scalar {
    fileprivate var isBlankOrInvisible: Bool {
        // U+2800 BRAILLE PATTERN BLANK looks like a space but is not one.
        properties.isWhitespace || properties.isDefaultIgnorableCodePoint || self == "\u{2800}"
            || properties.generalCategory == .format
    }
}

extension ArraySlice<UInt8> {
    private static let specials = Set("!#$%&'*+-/=?^_`{|}~".utf8)
    private static let labelByteCountMax = 63

    fileprivate var lowercased: String {
        String(decoding: map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }

    private var dotParts: [ArraySlice<UInt8>] { split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) }

    fileprivate var isDotAtom: Bool {
        dotParts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { $0.isLetterOrDigit || Self.specials.contains($0) }
        }
    }

    /// Whether this is two labels or more, the last of which is not a number: a domain name, never an IPv4 address.
    fileprivate var isDomain: Bool {
        let labels = dotParts
        guard labels.count >= 2, labels.allSatisfy(\.isLabel), let last = labels.last else { return false }
        return !last.allSatisfy(\.isDigit)
    }

    private var isLabel: Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...Self.labelByteCountMax).contains(count) && first != hyphen && last != hyphen
            && allSatisfy { $0.isLetterOrDigit || $0 == hyphen }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isLetterOrDigit: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) && self < 0x80
    }
}
