import AccessTokens
import CryptoPrimitives
import InternalAPI
import Policies
import StrictJSON

/// Verifies the identity tokens of one provider by the policy (OpenID Connect Core section 3.1.3.7).
struct IdentityTokenRule: Sendable {
    /// The most seconds that a token is accepted after it was issued, whatever its `exp`.
    static let ageSecondsMax: Int64 = 86_400
    /// The fewest characters of a nonce where the policy requires one: 16 random bytes have more in any encoding of text.
    static let nonceLengthMin = 16

    let provider: IdentityProviderPolicy
    /// Seconds that a token is accepted beyond `exp`.
    let leewaySeconds: Int64
    /// Whether a token with several audiences has to state its authorized party. Phone tokens have several and state none.
    var readsAuthorizedParty = true
    /// The only client whose tokens are accepted; `nil` for all audiences of the policy.
    var client: String?
    /// The Unix time in seconds at which the provider was asked for a new authentication (`max_age=0`), which the token must not precede;
    /// `nil` if an earlier one suffices.
    var authenticatedSince: Int64?

    /// Verifies a token and returns its identity.
    ///
    /// - Parameters:
    ///   - key: the provider's key for the token, or `nil` if there is none.
    ///   - nonce: the nonce in the request, as the app created it.
    ///   - now: Unix time in seconds.
    /// - Throws: the first rule that fails, in this order: algorithm, key, signature, type, issuer, audience, times, nonce,
    ///   authentication, subject.
    func verify(
        _ token: IdentityToken, key: VerificationKey?, nonce: String?, now: Int64
    ) throws(IdentityTokenRejection) -> VerifiedIdentityToken {
        let checked = try check(token, key: key, nonce: nonce, now: now)
        let subject = try read { () throws(TokenRejection) in try checked.claims.identifier("sub") }
        return checked.proving(VerifiedIdentity(provider: provider.name, subject: subject))
    }

    /// Verifies everything except for the claim that identifies the person; see `verify`.
    func check(
        _ token: IdentityToken, key: VerificationKey?, nonce: String?, now: Int64
    ) throws(IdentityTokenRejection) -> CheckedToken {
        let claims = try claims(of: token, key: key)
        try checkType(token, claims)
        let issuer = try checkIssuer(claims)
        let audience = try audience(claims)
        let (issuedAt, expiresAt) = try times(claims, now: now)
        guard nonceFits(try nonceClaim(claims), sent: nonce, by: nonceRule(for: audience)) else { throw .wrongNonce }
        try checkAuthentication(claims)
        return CheckedToken(
            claims: claims, proofID: token.proofID(issuer: issuer, issuedAt: issuedAt), audience: audience,
            issuedAt: issuedAt,
            usableUntil: min(expiresAt, issuedAt + Self.ageSecondsMax))
    }

    /// Returns the claims of a token after verifying its signature.
    func claims(of token: IdentityToken, key: VerificationKey?) throws(IdentityTokenRejection) -> ClaimReader {
        guard token.jws.header.algorithm.rawValue == provider.algorithm else { throw .wrongAlgorithm }
        guard let key else { throw .unknownKey }
        return try read { () throws(TokenRejection) in
            try ClaimReader(foreign: try token.jws.payload(verifiedWith: key))
        }
    }

    /// Returns the issuer, which is one of the provider's.
    @discardableResult func checkIssuer(_ claims: ClaimReader) throws(IdentityTokenRejection) -> String {
        let issuer = try read { () throws(TokenRejection) in try claims.string("iss") }
        guard isIssuer(issuer) else { throw .wrongIssuer }
        return issuer
    }

    func isIssuer(_ issuer: String) -> Bool { Self.contains(provider.issuers, issuer) }

    /// Checks that this is an identity token. A provider's keys also sign other tokens, about a logout or a change of an account,
    /// which have the member `events` (RFC 8417).
    private func checkType(_ token: IdentityToken, _ claims: ClaimReader) throws(IdentityTokenRejection) {
        guard token.type == nil || token.type == "jwt", claims.object["events"] == nil else { throw .wrongType }
    }

    /// Returns the client to which the token was issued: its only audience, or of several the authorized party (OpenID Connect
    /// Core section 3.1.3.7). A token with an audience that the policy does not list could be meant for that one.
    ///
    /// With one audience, `azp` is not read: Google states the phone's app there, which policies do not list.
    func audience(_ claims: ClaimReader) throws(IdentityTokenRejection) -> String {
        let audiences = try read { () throws(TokenRejection) in try claims.strings("aud") }
        guard let first = audiences.first, audiences.allSatisfy(isListed) else { throw .wrongAudience }
        let party = audiences.count > 1 && readsAuthorizedParty ? try authorizedParty(claims) : first
        guard let client else { return party }
        guard Self.contains(audiences, client), Self.contains([client], party) else { throw .wrongAudience }
        return party
    }

    private func authorizedParty(_ claims: ClaimReader) throws(IdentityTokenRejection) -> String {
        guard claims.object["azp"] != nil else { throw .wrongAudience }
        let party = try read { () throws(TokenRejection) in try claims.string("azp") }
        guard isListed(party) else { throw .wrongAudience }
        return party
    }

    private func isListed(_ audience: String) -> Bool {
        Self.contains(provider.audiences + (client.map { [$0] } ?? []), audience)
    }

    /// Checks the token's times, and returns when it was issued and from when on it is refused.
    private func times(
        _ claims: ClaimReader, now: Int64
    ) throws(IdentityTokenRejection) -> (issuedAt: Int64, expiresAt: Int64) {
        let expiry = try read { () throws(TokenRejection) in try claims.time("exp", rounded: .down) }
        guard now - leewaySeconds < expiry else { throw .expired }
        let issuedAt = try issueTime(claims, now: now)
        return (issuedAt, expiry.addingReportingOverflow(leewaySeconds).overflow ? .max : expiry + leewaySeconds)
    }

    /// Checks that a token is neither too old nor from the future, and returns when it was issued.
    func issueTime(_ claims: ClaimReader, now: Int64) throws(IdentityTokenRejection) -> Int64 {
        let issuedAt = try read { () throws(TokenRejection) in try claims.time("iat", rounded: .down) }
        let notBefore = try read { () throws(TokenRejection) in try claims.optionalTime("nbf", rounded: .up) }
        guard issuedAt >= now - Self.ageSecondsMax else { throw .tooOld }
        let latest = now + TokenLimits.futureSecondsMax
        guard issuedAt <= latest, notBefore ?? issuedAt <= latest else { throw .notYetValid }
        return issuedAt
    }

    /// Checks that the provider has authenticated the person again, if it was asked to: its token has to state the time then (OpenID
    /// Connect Core section 3.1.2.1). The provider's clock may be as much behind as it may be ahead.
    private func checkAuthentication(_ claims: ClaimReader) throws(IdentityTokenRejection) {
        guard let authenticatedSince else { return }
        let time = try read { () throws(TokenRejection) in try claims.time("auth_time", rounded: .up) }
        guard time >= authenticatedSince - TokenLimits.futureSecondsMax else { throw .oldAuthentication }
    }

    private func nonceClaim(_ claims: ClaimReader) throws(IdentityTokenRejection) -> String? {
        guard claims.object["nonce"] != nil else { return nil }
        return try read { () throws(TokenRejection) in try claims.string("nonce") }
    }

    /// The policy's rule for a token's nonce. Apple's page for browsers passes a token through the browser, so the nonce of the
    /// sign-in that it belongs to has to come with it.
    private func nonceRule(for audience: String) -> IdentityProviderPolicy.NonceRule {
        let isOfBrowser = provider.name == IdentityProviderPolicy.appleName && provider.web?.clientID == audience
        return isOfBrowser && provider.nonce == .ifSent ? .optional : provider.nonce
    }

    /// Whether the token's nonce fits the request's. The app sends the hash of its nonce to the provider and the nonce itself to
    /// Latchkey, so that an intercepted token does not reveal its nonce.
    private func nonceFits(
        _ claim: String?, sent: String?, by rule: IdentityProviderPolicy.NonceRule
    ) -> Bool {
        switch (claim, sent) {
        case (let claim?, let sent?):
            constantTimeEqual(Array(claim.utf8), Array(Hex.encode(SHA256.hash(Array(sent.utf8))).utf8))
        case (nil, nil): rule != .required
        case (_?, nil): rule == .ifSent
        case (nil, _?): false
        }
    }

    /// Whether a list contains exactly these bytes, since `==` on strings treats U+212A KELVIN SIGN as a `K`.
    private static func contains(_ allowed: [String], _ text: String) -> Bool {
        allowed.contains { $0.utf8.elementsEqual(text.utf8) }
    }

    /// Refuses a nonce that is too short to be random, if the policy requires nonces.
    func requireLength(ofNonce nonce: String?) throws(InvalidInput) {
        guard provider.nonce == .required, let nonce else { return }
        guard nonce.unicodeScalars.count >= Self.nonceLengthMin else { throw .shortNonce }
    }

    func read<Value>(
        _ claim: () throws(TokenRejection) -> Value
    ) throws(IdentityTokenRejection) -> Value {
        do throws(TokenRejection) { return try claim() } catch { throw IdentityTokenRejection(error) }
    }
}

/// A token that breaks no rule, before the claim that identifies the person is read.
struct CheckedToken {
    let claims: ClaimReader
    fileprivate let proofID: String
    fileprivate let audience: String
    fileprivate let issuedAt: Int64
    fileprivate let usableUntil: Int64

    func proving(_ identity: VerifiedIdentity) -> VerifiedIdentityToken {
        VerifiedIdentityToken(
            proofID: proofID, identity: identity, audience: audience, issuedAt: issuedAt, usableUntil: usableUntil)
    }
}

/// An identity that a token has verified.
struct VerifiedIdentityToken: Codable, Sendable, Equatable {
    let proofID: String
    let identity: VerifiedIdentity
    /// The token's `aud`.
    let audience: String
    /// The token's `iat`, in Unix seconds.
    let issuedAt: Int64
    /// Unix time in seconds from which on the token is refused anyway, so that its use needs to be stored only until then.
    let usableUntil: Int64
}
