/// Judges access tokens of one issuer for one audience by rules R-01…R-17 of the security guide.
///
/// Immutable; may be used from many threads at once. Whether a token is revoked is not asked here.
package struct AccessTokenVerifier: Sendable {
    package let issuer: String
    package let audience: String
    /// Seconds that a token is accepted beyond `exp`, 0–30.
    package let leewaySeconds: Int64
    package let keys: VerificationKeySet
    private let acceptsEd25519Name: Bool

    /// - Parameters:
    ///   - leewaySeconds: brought into 0…30.
    ///   - acceptsEd25519Name: `alg: Ed25519` (RFC 9864) counts as `EdDSA`.
    package init(
        issuer: String, audience: String, leewaySeconds: Int64 = 0, keys: VerificationKeySet,
        acceptsEd25519Name: Bool = false
    ) {
        self.issuer = issuer
        self.audience = audience
        self.leewaySeconds = min(max(leewaySeconds, 0), TokenLimits.leewaySecondsMax)
        self.keys = keys
        self.acceptsEd25519Name = acceptsEd25519Name
    }

    /// The claims of `token` if every rule holds; the payload is not parsed before its signature is proved.
    ///
    /// - Parameters:
    ///   - token: the bytes of the compact form.
    ///   - now: Unix time in seconds.
    /// - Throws: the first rule that fails.
    package func verify(_ token: [UInt8], now: Int64) throws(TokenRejection) -> AccessTokenClaims {
        try verified(token, now: now).claims
    }

    /// As `verify`, with the key that proved it, for callers who must be able to drop a key's tokens.
    package func verified(_ token: [UInt8], now: Int64) throws(TokenRejection) -> VerifiedAccessToken {
        let jws = try CompactJWS(token, acceptsEd25519Name: acceptsEd25519Name)
        guard let keyID = jws.header.keyID, KeyID.isValid(keyID) else { throw .invalidKeyID }
        guard Self.isAccessToken(jws.header.type) else { throw .wrongType }
        guard let key = keys[keyID] else { throw .unknownKey }
        let payload = try AccessTokenPayload(json: try jws.payload(verifiedWith: key))
        try payload.judge(issuer: issuer, audience: audience, leewaySeconds: leewaySeconds, now: now)
        return VerifiedAccessToken(
            claims: payload.claims, keyID: keyID, acceptedUntil: payload.acceptedUntil(leewaySeconds: leewaySeconds))
    }

    /// `typ` compares without case, and its `application/` may be left out (RFC 7515 §4.1.9).
    private static func isAccessToken(_ type: String?) -> Bool {
        guard let type = type?.lowercased() else { return false }
        return type == AccessTokenSigner.type || type == "application/" + AccessTokenSigner.type
    }
}

/// Claims, the `kid` of the key under which they were proved, and how long they hold.
package struct VerifiedAccessToken: Sendable, Equatable {
    package let claims: AccessTokenClaims
    package let keyID: String
    /// Unix seconds: `exp` and the leeway; refused at or after it.
    package let acceptedUntil: Int64
}
