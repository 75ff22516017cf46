/// The base URL of one server of an upstream.
enum UpstreamURL {
    static let lengthMax = 256
    private static let allowed = "http://host:port or https://host:port without a path"

    /// Reads `http://host:port` or `https://host:port`, the port optional.
    static var rule: TextRule { TextRule(allowed, where: isBaseURL) }

    /// Reads `$LATCHKEY_UPSTREAM` as `nil`, or one URL.
    static var ruleWithEnvironment: ValueRule<String?> {
        ValueRule(
            "\(Upstream.environmentName), or \(allowed)", text: { $0 ?? Upstream.environmentName },
            parse: { text in
                if text == Upstream.environmentName { return .some(nil) }
                return isBaseURL(text) ? .some(text) : nil
            })
    }

    /// Returns the URL in the form in which two that lead to the same server are the same.
    static func normalized(_ url: String) -> String {
        let text = url.lowercased()
        for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where text.hasPrefix(scheme) {
            return text.hasSuffix(port) ? String(text.dropLast(port.count)) : text
        }
        return text
    }

    private static func isBaseURL(_ text: String) -> Bool {
        let scheme = ["http://", "https://"].first { text.hasPrefix($0) }
        guard text.utf8.count <= lengthMax, let scheme else { return false }
        let authority = text.dropFirst(scheme.utf8.count)
        if authority.hasPrefix("[") {
            let parts = authority.dropFirst().split(separator: "]", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, IPAddress(parts[0])?.isIPv6 == true else { return false }
            return parts[1].isEmpty || (parts[1].hasPrefix(":") && isPort(parts[1].dropFirst()))
        }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, parts.count <= 2, isHost(host) else { return false }
        return parts.dropFirst().allSatisfy(isPort)
    }

    private static func isHost(_ host: Substring) -> Bool {
        !host.isEmpty && !host.hasPrefix("-")
            && host.utf8.allSatisfy { $0.isASCIIWordByte || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }

    private static func isPort(_ text: Substring) -> Bool {
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return false }
        return UInt16(text).map { $0 > 0 } ?? false
    }
}
