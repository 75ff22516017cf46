/// Signs access tokens.
package struct AccessTokenSigner: Sendable {
    /// The `typ` that distinguishes access tokens from other kinds of token (RFC 9068 §2.1).
    static let type = "at+jwt"

    package init() {}

    /// Returns the compact token of `claims`, signed with `key`.
    ///
    /// - Throws: `.reservedClaim`, `.tokenTooLarge`, `.operationFailed`.
    package func sign(_ claims: AccessTokenClaims, with key: SigningKey) throws(KeyError) -> String {
        try sign(payload: try claims.json(), with: key)
    }

    /// Returns the compact token of a payload, one JSON object, signed with `key`.
    ///
    /// - Throws: `.tokenTooLarge`, `.operationFailed`.
    package func sign(payload: [UInt8], with key: SigningKey) throws(KeyError) -> String {
        try CompactJWS.sign(payload, type: Self.type, with: key)
    }
}
