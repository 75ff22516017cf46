/// The scheme that a client uses with the edge, which `X-Forwarded-Proto` states to the upstream.
package enum ForwardedScheme: String, Sendable {
    case http, https

    /// Reads a trusted proxy's `X-Forwarded-Proto`. If each of several proxies has added a value, that of the outermost one applies,
    /// counted from the right, because a client can send values of its own before it. With fewer values than proxies the last applies.
    ///
    /// Any other value than the two schemes counts as `http`, so that no upstream relies on an encryption that may not exist. If a
    /// proxy states none, this is not called, and the connection's own scheme applies.
    ///
    /// - Parameter proxyCount: the number of trusted proxies between client and edge.
    package init(statedBy fields: [[UInt8]], through proxyCount: Int = 1) {
        let values = fields.flatMap { $0.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
        let stated = values.count >= proxyCount ? values.dropLast(max(0, proxyCount - 1)).last : values.last
        let word = (stated ?? []).filter { !ByteClass.isBlank($0) }.map(ByteClass.lowercased)
        self = Self(rawValue: String(decoding: word, as: UTF8.self)) ?? .http
    }
}
