/// Finds the IP address of the client that sent a request through any proxies (security guide R-87).
package enum ClientAddress {
    /// The number of entries of `X-Forwarded-For` that are read, from the right.
    package static let hopCountMax = 32

    /// Returns the right-most hop that is not a trusted proxy, or the peer if it is not a trusted proxy itself.
    ///
    /// A hop that is not an IP address ends the search: no trusted proxy wrote the entries to its left.
    /// - Parameter forwardedFor: The values of all `X-Forwarded-For` fields in the order in which they came.
    package static func resolve(peer: IPAddress, forwardedFor: [String], trustedProxies: [CIDR]) -> IPAddress {
        var client = peer
        let hops = forwardedFor.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        for hop in hops.reversed().prefix(hopCountMax) {
            guard trustedProxies.contains(where: { $0.contains(client) }) else { return client }
            guard let address = address(hop.trimmingSpaces) else { return client }
            client = address
        }
        return client
    }

    /// Reads `address`, `IPv4:port`, `[IPv6]` or `[IPv6]:port`; load balancers write all of them.
    private static func address(_ hop: Substring) -> IPAddress? {
        if let plain = IPAddress(hop) { return plain }
        let isBracketed = hop.utf8.first == UInt8(ascii: "[")
        guard let end = isBracketed ? hop.lastIndex(of: "]") : hop.lastIndex(of: ":") else { return nil }
        let inner = isBracketed ? hop[..<end].dropFirst() : hop[..<end]
        let rest = hop[end...].dropFirst(isBracketed ? 1 : 0)
        // Without brackets the last group of an IPv6 address could be a port.
        guard inner.contains(":") == isBracketed, (isBracketed && rest.isEmpty) || isPort(rest) else { return nil }
        return IPAddress(inner)
    }

    /// Whether a text is a colon and a number of at most five digits.
    private static func isPort(_ text: Substring) -> Bool {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: ":"), (1...5).contains(digits.count) else { return false }
        return digits.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } && UInt16(text.dropFirst()) != nil
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let last = lastIndex(where: { !isSpace($0) }) else { return "" }
        return self[...last].drop(while: isSpace)
    }
}
