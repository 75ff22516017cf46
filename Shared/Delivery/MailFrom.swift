package import EmailAddresses

/// The sender of mails, as set in `MAIL_FROM`.
package struct MailFrom: Sendable, Equatable {
    private static let nameLengthMax = 128

    /// The display name, as people read it; `nil` if there is none.
    package let name: String?
    package let address: EmailAddress

    /// - Parameter text: An address, or `Name <address>`, where the name may be plain, quoted (RFC 5322 §3.2.4) or in
    ///   encoded words (RFC 2047); the result is `nil` if it is neither.
    package init?(_ text: String) {
        guard text.hasSuffix(">"), let start = text.lastIndex(of: "<") else {
            guard let address = Self.address(text[...]) else { return nil }
            (name, self.address) = (nil, address)
            return
        }
        guard let address = Self.address(text[text.index(after: start)...].dropLast()),
            let name = Self.name(text[..<start])
        else { return nil }
        (self.name, self.address) = (name, address)
    }

    /// The sender as text for JSON; the name is quoted if it contains special characters.
    package var text: String {
        guard let name else { return address.text }
        return "\(Self.isPhrase(name) ? name : Self.quoted(name)) <\(address.text)>"
    }

    /// The value of a header field: ASCII, in lines that are not too long for encoded words.
    ///
    /// - Parameter column: The column of its line at which the value begins.
    func header(after column: Int) -> String {
        guard let name else { return address.text }
        guard !name.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) || name.contains("=?") else { return text }
        let words = EncodedWords.text(name, after: column)
        let last = words.split(separator: "\r\n").last?.utf8.count ?? 0
        let isShort =
            !words.contains("\r\n") && column + last + address.text.utf8.count + 3 <= EncodedWords.lineLengthMax
        return words + (isShort ? " " : "\r\n ") + "<\(address.text)>"
    }

    private static func address(_ text: Substring) -> EmailAddress? {
        guard !text.contains(where: \.isWhitespace) else { return nil }
        do throws(EmailAddressProblem) { return try EmailAddress(parsing: String(text)) } catch { return nil }
    }

    private static func name(_ text: Substring) -> String? {
        let plain = String(String(text.drop { $0 == " " }).reversed().drop { $0 == " " }.reversed())
        guard let name = EncodedWords.decoded(unquoted(plain) ?? plain), (1...nameLengthMax).contains(name.count),
            name.unicodeScalars.allSatisfy(isShown)
        else { return nil }
        return name
    }

    /// The text of a quoted string; `nil` if it is not one.
    private static func unquoted(_ text: String) -> String? {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
        var (result, isEscaped) = ("", false)
        for character in text.dropFirst().dropLast() {
            if !isEscaped, character == "\"" { return nil }
            isEscaped = !isEscaped && character == "\\"
            if !isEscaped { result.append(character) }
        }
        return isEscaped ? nil : result
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// Whether the name needs no quotes (RFC 5322 §3.2.3, RFC 6532 §3.2).
    private static func isPhrase(_ name: String) -> Bool {
        let specials = Set("()<>[]:;@\\,.\"".unicodeScalars)
        return !name.contains("  ") && !name.unicodeScalars.contains { specials.contains($0) }
    }

    /// Whether a character is no control, no line end, and does not reorder the text around it.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        default: !(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value)
        }
    }
}
