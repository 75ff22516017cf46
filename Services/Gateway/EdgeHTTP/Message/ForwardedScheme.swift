/// The scheme that a client uses with the edge, which `X-Forwarded-Proto` states to the upstream.
package enum ForwardedScheme: String, Sendable {
    case http, https

    /// Reads a trusted proxy's `X-Forwarded-Proto`. Of several values the last applies, which is that of the nearest proxy.
    ///
    /// Any other value than the two schemes counts as `http`, so that no upstream relies on an encryption that may not exist. If a
    /// proxy states none, this is not called, and the connection's own scheme applies.
    package init(statedBy fields: [[UInt8]]) {
        let last = fields.last?.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).last ?? []
        let word = last.filter { !ByteClass.isBlank($0) }.map(ByteClass.lowercased)
        self = Self(rawValue: String(decoding: word, as: UTF8.self)) ?? .http
    }
}
