/// Finds out who sent a request that may have come through proxies (security guide R-87).
package enum ClientAddress {
    /// Entries of `X-Forwarded-For` that are looked at, from the right.
    package static let hopCountMax = 32

    /// The right-most hop that is no trusted proxy; the peer itself when it is none.
    ///
    /// A hop that is not an address ends the search: what stands left of it was not written by a proxy that we trust.
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

    /// `address`, `IPv4:port`, `[IPv6]` or `[IPv6]:port`; balancers write all of them.
    private static func address(_ hop: Substring) -> IPAddress? {
        if let plain = IPAddress(hop) { return plain }
        let isBracketed = hop.utf8.first == UInt8(ascii: "[")
        guard let end = isBracketed ? hop.lastIndex(of: "]") : hop.lastIndex(of: ":") else { return nil }
        let inner = isBracketed ? hop[..<end].dropFirst() : hop[..<end]
        let rest = hop[end...].dropFirst(isBracketed ? 1 : 0)
        // Without brackets the last group of an IPv6 address could be meant for a port.
        guard inner.contains(":") == isBracketed, (isBracketed && rest.isEmpty) || isPort(rest) else { return nil }
        return IPAddress(inner)
    }

    /// A colon and a number of at most five digits.
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
