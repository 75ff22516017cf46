/// Distinguishes names from this machine or network from names of the internet.
///
/// A page of the internet could make its own name point to the inbox (DNS rebinding) and read codes. The browser then sends that
/// name in `Host`. IP addresses, `localhost` and names without a dot (as in a compose network) cannot be names of that kind.
enum LocalName {
    static func isLocal(authority: String) -> Bool {
        guard let host = host(of: authority), !host.isEmpty else { return false }
        return !host.contains(".") || host.hasSuffix(".localhost") || isIPv4(host)
    }

    /// Returns the host without its port; an IPv6 address has brackets.
    private static func host(of authority: String) -> String? {
        let lowered = authority.lowercased()
        if lowered.hasPrefix("[") {
            return lowered.firstIndex(of: "]").map { String(lowered[...$0]) }
        }
        return lowered.split(separator: ":", omittingEmptySubsequences: false).first.map(String.init)
    }

    private static func isIPv4(_ host: String) -> Bool {
        let bytes = host.split(separator: ".", omittingEmptySubsequences: false)
        return bytes.count == 4 && bytes.allSatisfy { UInt8($0) != nil }
    }
}
