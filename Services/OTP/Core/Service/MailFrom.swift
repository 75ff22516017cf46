import EmailAddresses

/// Whom mails come from, as `MAIL_FROM` says.
enum MailFrom {
    private static let nameLengthMax = 64

    /// Whether `text` is an address, or `Name <address>` with a name that needs no quoting (RFC 5322 §3.4).
    static func isValid(_ text: String) -> Bool {
        guard text.hasSuffix(">") else { return isAddress(text[...]) }
        let parts = text.dropLast().split(separator: "<", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, isAddress(parts[1]) else { return false }
        let name = parts[0].drop { $0 == " " }
        return (1...nameLengthMax).contains(name.count) && name.unicodeScalars.allSatisfy(isPlain)
    }

    private static func isAddress(_ text: Substring) -> Bool {
        do throws(EmailAddressProblem) {
            return try EmailAddress(parsing: String(text)).text == text.lowercased()
        } catch {
            return false
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == " " || scalar == "-"
    }
}
