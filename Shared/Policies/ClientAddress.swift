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
            guard let address = IPAddress(hop.trimmingSpaces) else { return client }
            client = address
        }
        return client
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let last = lastIndex(where: { !isSpace($0) }) else { return "" }
        return self[...last].drop(while: isSpace)
    }
}
