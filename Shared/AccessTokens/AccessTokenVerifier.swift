/// Verifies access tokens of one issuer for one audience, and of each other form that it is given, by rules R-01…R-17 of the
/// security guide.
///
/// Immutable; may be used from many threads at once. It does not check whether a token is revoked.
package struct AccessTokenVerifier: Sendable {
    package let issuer: String
    package let audience: String
    /// The seconds for which a token is accepted after `exp`, 0–30.
    package let leewaySeconds: Int64
    package let keys: VerificationKeySet
    private let acceptsEd25519Name: Bool
    private let forms: [TokenForm]

    /// - Parameters:
    ///   - leewaySeconds: The leeway, clamped to 0…30.
    ///   - acceptsEd25519Name: Whether `alg: Ed25519` (RFC 9864) counts as `EdDSA`.
    ///   - forms: Other issuers with their audiences, whose tokens count as those of `issuer` for `audience`.
    package init(
        issuer: String, audience: String, leewaySeconds: Int64 = 0, keys: VerificationKeySet,
        acceptsEd25519Name: Bool = false, forms: [TokenForm] = []
    ) {
        self.forms = forms
        self.issuer = issuer
        self.audience = audience
        self.leewaySeconds = min(max(leewaySeconds, 0), TokenLimits.leewaySecondsMax)
        self.keys = keys
        self.acceptsEd25519Name = acceptsEd25519Name
    }

    /// This verifier for another audience, and for no other form.
    package func with(audience: String) -> AccessTokenVerifier {
        AccessTokenVerifier(
            issuer: issuer, audience: audience, leewaySeconds: leewaySeconds, keys: keys,
            acceptsEd25519Name: acceptsEd25519Name)
    }

    /// Returns the claims of `token` if it follows every rule; the payload is parsed only after its signature is verified.
    ///
    /// - Parameters:
    ///   - token: The bytes of the compact form.
    ///   - now: Unix time in seconds.
    /// - Throws: The first rule that fails.
    package func verify(_ token: [UInt8], now: Int64) throws(TokenRejection) -> AccessTokenClaims {
        try verified(token, now: now).claims
    }

    /// Verifies like `verify`, and also returns the `kid` of the key, for callers that must be able to drop a key's tokens.
    package func verified(_ token: [UInt8], now: Int64) throws(TokenRejection) -> VerifiedAccessToken {
        let jws = try CompactJWS(token, acceptsEd25519Name: acceptsEd25519Name)
        guard let keyID = jws.header.keyID, KeyID.isValid(keyID) else { throw .invalidKeyID }
        guard Self.isAccessToken(jws.header.type) else { throw .wrongType }
        guard let key = keys[keyID] else { throw .unknownKey }
        let payload = try AccessTokenPayload(json: try jws.payload(verifiedWith: key))
        let form =
            forms.isEmpty || payload.isFor(issuer, audience)
            ? nil : forms.first { payload.isFor($0.issuer, $0.audience) }
        try payload.judge(
            issuer: form?.issuer ?? issuer, audience: form?.audience ?? audience, leewaySeconds: leewaySeconds, now: now
        )
        return VerifiedAccessToken(
            claims: try payload.claims(in: form), keyID: keyID,
            acceptedUntil: payload.acceptedUntil(leewaySeconds: leewaySeconds))
    }

    /// Whether `typ` is that of access tokens. It is compared without case, and `application/` is optional (RFC 7515
    /// §4.1.9).
    private static func isAccessToken(_ type: String?) -> Bool {
        guard let type = type?.lowercased() else { return false }
        return type == AccessTokenSigner.type || type == "application/" + AccessTokenSigner.type
    }
}

/// A token's claims, the `kid` of the key that verified them, and the end of their validity.
package struct VerifiedAccessToken: Sendable, Equatable {
    package let claims: AccessTokenClaims
    package let keyID: String
    /// The Unix time in seconds at which the token is first refused: `exp` plus the leeway.
    package let acceptedUntil: Int64
}
