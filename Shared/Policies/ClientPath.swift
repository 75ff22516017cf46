/// The client that sent a request, and the trusted proxies on its way (security guide R-87).
package struct ClientPath: Sendable, Equatable {
    /// The number of entries of `X-Forwarded-For` that are read, from the right.
    package static let hopCountMax = 32

    /// The right-most hop that is not a trusted proxy, or the peer if it is not a trusted proxy itself.
    package let client: IPAddress
    /// The number of trusted proxies that stated a hop, and at least 1 if the peer is one.
    package let proxyCount: Int

    /// A hop that is not an IP address ends the search: no trusted proxy wrote the entries to its left.
    ///
    /// - Parameter forwardedFor: The values of all `X-Forwarded-For` fields in the order in which they came.
    package init(peer: IPAddress, forwardedFor: [String], trustedProxies: [CIDR]) {
        func isProxy(_ address: IPAddress) -> Bool { trustedProxies.contains { $0.contains(address) } }
        var (client, count) = (peer, 0)
        let hops = forwardedFor.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        for hop in hops.reversed().prefix(Self.hopCountMax) {
            guard isProxy(client), let address = Self.address(hop.trimmingSpaces) else { break }
            (client, count) = (address, count + 1)
        }
        self.client = client
        proxyCount = max(count, isProxy(peer) ? 1 : 0)
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
