/// How a client speaks to the edge, as `X-Forwarded-Proto` tells the upstream.
package enum ForwardedScheme: String, Sendable {
    case http, https

    /// What a trusted proxy's `X-Forwarded-Proto` says; of several the last word, which is that of the nearest proxy.
    ///
    /// Anything else than the two schemes is `http`: nobody is told of an encryption that may not be there. A proxy that says
    /// nothing is not asked: then the connection's own scheme holds.
    package init(statedBy fields: [[UInt8]]) {
        let last = fields.last?.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).last ?? []
        let word = last.filter { !ByteClass.isBlank($0) }.map(ByteClass.lowercased)
        self = Self(rawValue: String(decoding: word, as: UTF8.self)) ?? .http
    }
}
