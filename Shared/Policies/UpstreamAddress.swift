/// The URL of an upstream: stated in the policy, or left to the deployment.
enum UpstreamAddress {
    /// The URL in `LATCHKEY_UPSTREAM`.
    case environment
    case fixed(String)

    static let environmentName = "$LATCHKEY_UPSTREAM"
    static let lengthMax = 256

    /// The fixed URL; `nil` if it comes from the environment.
    var url: String? {
        switch self {
        case .environment: nil
        case .fixed(let url): url
        }
    }

    /// Reads one value of section `upstreams`: `$LATCHKEY_UPSTREAM`, or `http://host:port` or `https://host:port`, the port
    /// optional.
    static var rule: ValueRule<UpstreamAddress> {
        ValueRule(
            "\(environmentName), or http://host:port or https://host:port without a path",
            text: { $0.url ?? environmentName },
            parse: { text in
                if text == environmentName { return .environment }
                return isBaseURL(text) ? .fixed(text) : nil
            })
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
