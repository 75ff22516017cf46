import EmailAddresses

/// The name in `EHLO`: many relays refuse a name without a dot (RFC 5321 §4.1.1.1, §4.1.3).
extension SMTPServer {
    private static let lengthMax = 253

    /// Returns the public URL's host, or the mails' domain if that host has no meaning elsewhere, like `localhost`.
    ///
    /// - Parameter publicHost: The host where clients reach the deployment; `nil` if it is unknown.
    package static func helo(publicHost: String?, from: MailFrom) -> String {
        guard let host = publicHost?.lowercased(), !host.hasPrefix("127."), host != "::1" else {
            return from.address.domain
        }
        if host.contains(":") { return "[IPv6:\(host)]" }
        if isIPv4(host) { return "[\(host)]" }
        return host.contains(".") && isHelo(host) ? host : from.address.domain
    }

    /// Whether the text is a host name, or an IP address in brackets.
    package static func isHelo(_ text: String) -> Bool {
        guard (1...lengthMax).contains(text.utf8.count) else { return false }
        if text.hasPrefix("["), text.hasSuffix("]") {
            let address = text.dropFirst().dropLast()
            return address.hasPrefix("IPv6:")
                ? address.dropFirst(5).utf8.allSatisfy(isHexOrColon) : isIPv4(String(address))
        }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isLabel)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy { isDigit($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "-") }
    }

    private static func isIPv4(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { $0.utf8.allSatisfy(isDigit) && UInt8($0) != nil }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isHexOrColon(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x66).contains(byte | 0x20) || byte == UInt8(ascii: ":")
    }
}
