import AccessTokens
import CryptoPrimitives
import InternalAPI
import Policies
import StrictJSON

/// Verifies the identity tokens of one provider by the policy (OpenID Connect Core section 3.1.3.7).
struct IdentityTokenRule: Sendable {
    /// The most seconds that a token is accepted after it was issued, whatever its `exp`.
    static let ageSecondsMax: Int64 = 86_400

    let provider: IdentityProviderPolicy
    /// Seconds that a token is accepted beyond `exp`.
    let leewaySeconds: Int64

    /// Verifies a token and returns its identity.
    ///
    /// - Parameters:
    ///   - key: the provider's key with the token's key id, or `nil` if the provider has no such key.
    ///   - nonce: the nonce in the request, as the app created it.
    ///   - now: Unix time in seconds.
    /// - Throws: the first rule that fails, in this order: algorithm, key, signature, type, issuer, audience, times, nonce,
    ///   subject.
    func verify(
        _ token: IdentityToken, key: VerificationKey?, nonce: String?, now: Int64
    ) throws(IdentityTokenRejection) -> VerifiedIdentity {
        guard token.jws.header.algorithm.rawValue == provider.algorithm else { throw .wrongAlgorithm }
        guard let key else { throw .unknownKey }
        let claims = try read { () throws(TokenRejection) in
            try ClaimReader(json: try token.jws.payload(verifiedWith: key))
        }
        try checkType(token, claims)
        let issuer = try read { () throws(TokenRejection) in try claims.string("iss") }
        guard Self.contains(provider.issuers, issuer) else { throw .wrongIssuer }
        try checkAudience(claims)
        let (issuedAt, expiresAt) = try times(claims, now: now)
        guard nonceFits(try nonceClaim(claims), sent: nonce) else { throw .wrongNonce }
        let subject = try read { () throws(TokenRejection) in try claims.identifier("sub") }
        return VerifiedIdentity(
            proofID: token.proofID(issuer: issuer, issuedAt: issuedAt),
            identity: ProvedIdentity(provider: provider.name, subject: subject), issuedAt: issuedAt,
            usableUntil: min(expiresAt, issuedAt + Self.ageSecondsMax))
    }

    /// Checks that this is an identity token. A provider's keys also sign other tokens, about a logout or a change of an account,
    /// which have the member `events` (RFC 8417).
    private func checkType(_ token: IdentityToken, _ claims: ClaimReader) throws(IdentityTokenRejection) {
        let type = token.jws.header.type?.lowercased()
        guard type == nil || type == "jwt", claims.object["events"] == nil else { throw .wrongType }
    }

    /// Checks that the audience is a string, or a list of one. A token for two audiences could be meant for the other one.
    private func checkAudience(_ claims: ClaimReader) throws(IdentityTokenRejection) {
        let audiences = try read { () throws(TokenRejection) in try claims.strings("aud") }
        guard audiences.count == 1, Self.contains(provider.audiences, audiences[0]) else { throw .wrongAudience }
    }

    /// Checks the token's times, and returns when it was issued and from when on it is refused.
    private func times(
        _ claims: ClaimReader, now: Int64
    ) throws(IdentityTokenRejection) -> (issuedAt: Int64, expiresAt: Int64) {
        let expiry = try read { () throws(TokenRejection) in try claims.integer("exp") }
        guard now - leewaySeconds < expiry else { throw .expired }
        let issuedAt = try read { () throws(TokenRejection) in try claims.integer("iat") }
        let notBefore = try read { () throws(TokenRejection) in try claims.optionalInteger("nbf") } ?? issuedAt
        guard issuedAt >= now - Self.ageSecondsMax else { throw .tooOld }
        let latest = now + TokenLimits.futureSecondsMax
        guard issuedAt <= latest, notBefore <= latest else { throw .notYetValid }
        return (issuedAt, expiry.addingReportingOverflow(leewaySeconds).overflow ? .max : expiry + leewaySeconds)
    }

    private func nonceClaim(_ claims: ClaimReader) throws(IdentityTokenRejection) -> String? {
        guard claims.object["nonce"] != nil else { return nil }
        return try read { () throws(TokenRejection) in try claims.string("nonce") }
    }

    /// Whether the token's nonce fits the request's. The app sends the hash of its nonce to the provider and the nonce itself to
    /// Latchkey, so that an intercepted token does not reveal its nonce.
    private func nonceFits(_ claim: String?, sent: String?) -> Bool {
        switch (claim, sent) {
        case (let claim?, let sent?):
            constantTimeEqual(Array(claim.utf8), Array(Hex.encode(SHA256.hash(Array(sent.utf8))).utf8))
        case (nil, nil): provider.nonce != .required
        case (_?, nil): provider.nonce == .ifSent
        case (nil, _?): false
        }
    }

    /// Whether a list contains exactly these bytes, since `==` on strings treats U+212A KELVIN SIGN as a `K`.
    private static func contains(_ allowed: [String], _ text: String) -> Bool {
        allowed.contains { $0.utf8.elementsEqual(text.utf8) }
    }

    private func read<Value>(
        _ claim: () throws(TokenRejection) -> Value
    ) throws(IdentityTokenRejection) -> Value {
        do throws(TokenRejection) { return try claim() } catch { throw IdentityTokenRejection(error) }
    }
}

/// An identity that a token has verified.
struct VerifiedIdentity: Codable, Sendable, Equatable {
    let proofID: String
    let identity: ProvedIdentity
    /// The token's `iat`, in Unix seconds.
    let issuedAt: Int64
    /// Unix time in seconds from which on the token is refused anyway, so that its use needs to be stored only until then.
    let usableUntil: Int64
}
