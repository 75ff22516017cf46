package import EmailAddresses

/// Whom mails come from, as `MAIL_FROM` says.
package struct MailFrom: Sendable, Equatable {
    private static let nameLengthMax = 64

    /// Needs no quoting (RFC 5322 §3.4), but may not be ASCII.
    package let name: String?
    package let address: EmailAddress

    /// - Parameter text: an address, or `Name <address>`; nil when it is neither.
    package init?(_ text: String) {
        guard text.hasSuffix(">") else {
            guard let address = Self.address(text[...]) else { return nil }
            (name, self.address) = (nil, address)
            return
        }
        let parts = text.dropLast().split(separator: "<", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let address = Self.address(parts[1]) else { return nil }
        let name = parts[0].drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        guard (1...Self.nameLengthMax).contains(name.count), String(name).unicodeScalars.allSatisfy(Self.isPlain) else {
            return nil
        }
        (self.name, self.address) = (String(name), address)
    }

    /// As it stands in JSON, and in a header once its name is encoded.
    package var text: String { name.map { "\($0) <\(address.text)>" } ?? address.text }

    private static func address(_ text: Substring) -> EmailAddress? {
        do throws(EmailAddressProblem) {
            let address = try EmailAddress(parsing: String(text))
            return address.text == text.lowercased() ? address : nil
        } catch {
            return nil
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == " " || scalar == "-"
    }
}
