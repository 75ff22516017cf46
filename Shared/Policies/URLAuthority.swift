/// The host and port of a URL (RFC 3986 section 3.2), without a user.
struct URLAuthority: Sendable, Equatable {
    private static let hostBytesMax = 253
    private static let labelBytesMax = 63

    /// The host in lower case; an IPv6 address has no brackets.
    let host: String

    /// - Returns: `nil` if the text is not a host name or an IP address, with at most a port of 1 to 65535.
    init?(_ text: some StringProtocol) {
        let host: String
        let rest: String
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = String(text[text.index(after: text.startIndex)..<end])
            rest = String(text[text.index(after: end)...])
            guard host.contains(":"), IPAddress(host) != nil else { return nil }
        } else {
            host = String(text.prefix { $0 != ":" })
            rest = String(text.dropFirst(host.count))
            guard Self.isName(host) else { return nil }
        }
        guard Self.isPort(rest) else { return nil }
        self.host = host.lowercased()
    }

    /// Whether the text is a name of DNS, with `_` as container names have it, or an IPv4 address. A host that ends in a number is
    /// an IPv4 address, also in the forms that only some clients read.
    private static func isName(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= hostBytesMax, labels.allSatisfy(isLabel), let last = labels.last else { return false }
        let isNumber = last.utf8.allSatisfy { (0x30...0x39).contains($0) } || last.lowercased().hasPrefix("0x")
        return !isNumber || IPAddress(host) != nil
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...labelBytesMax).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy { $0.isASCIIWordByte || $0 == UInt8(ascii: "-") }
    }

    /// Whether the text is empty, or a colon and a port.
    private static func isPort(_ text: String) -> Bool {
        guard !text.isEmpty else { return true }
        let digits = text.utf8.dropFirst()
        guard text.hasPrefix(":"), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
        return UInt16(String(decoding: digits, as: UTF8.self)).map { $0 > 0 } ?? false
    }
}
