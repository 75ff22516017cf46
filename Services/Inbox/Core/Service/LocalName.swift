/// Tells names that only this machine or network can have given from names of the internet.
///
/// A page of the internet could make its own name point to the inbox (DNS rebinding) and read codes; then the browser
/// sends that name in `Host`. Addresses, `localhost` and names without a dot (as in a compose network) cannot be such.
enum LocalName {
    static func isLocal(authority: String) -> Bool {
        guard let host = host(of: authority), !host.isEmpty else { return false }
        return !host.contains(".") || host.hasSuffix(".localhost") || isIPv4(host)
    }

    /// The host without its port; an IPv6 address with brackets.
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
