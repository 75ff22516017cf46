import AccessTokens
import InternalAPI

/// The assertion by which a client shows that it has a private key (`private_key_jwt`, RFC 7523 section 3).
struct ClientAssertion: Sendable, Equatable {
    /// The values of `typ`, which may be missing; the first is that of draft-ietf-oauth-rfc7523bis.
    private static let types: Set = ["client-authentication+jwt", "jwt"]

    let tokenID: String
    /// Unix time in seconds.
    let expiresAt: Int64

    /// Returns the id of the client that an assertion states, which is not verified and only selects the keys.
    static func statedClient(_ assertion: [UInt8]) throws(TokenRejection) -> String {
        try ClaimReader(foreign: try CompactJWS(assertion, acceptsEd25519Name: true).unverifiedPayload())
            .identifier("sub")
    }

    /// Verifies an assertion with the keys of the client that it states.
    ///
    /// - Parameters:
    ///   - audiences: the issuer and the token endpoint; exactly one of them has to be the only audience, so that another
    ///     server to which a client authenticates cannot use its assertion here.
    ///   - now: Unix time in seconds.
    /// - Throws: the first rule that it breaks.
    init(
        _ assertion: [UInt8], of client: String, keys: [VerificationKey], audiences: [String], now: Int64
    ) throws(TokenRejection) {
        let jws = try CompactJWS(assertion, acceptsEd25519Name: true)
        guard jws.header.type.map({ Self.types.contains($0.lowercased()) }) ?? true else { throw .wrongType }
        let claims = try ClaimReader(foreign: try Self.payload(of: jws, keys))
        guard Self.isSame(try claims.string("iss"), client), Self.isSame(try claims.string("sub"), client) else {
            throw .wrongIssuer
        }
        let audience = try claims.strings("aud")
        guard audience.count == 1, audiences.contains(where: { Self.isSame($0, audience[0]) }) else {
            throw .wrongAudience
        }
        tokenID = try claims.identifier("jti")
        expiresAt = try claims.time("exp", rounded: .down)
        try judgeTimes(claims, now: now)
    }

    /// Our own lifetime's limit bounds the memory of used ids. A client's clock may be ahead of ours as a signer's may.
    private func judgeTimes(_ claims: ClaimReader, now: Int64) throws(TokenRejection) {
        guard now < expiresAt else { throw .expired }
        let latest = now + TokenLimits.futureSecondsMax
        guard expiresAt <= latest + ClientLifetimes.assertionSecondsMax else { throw .invalidClaim }
        for name in ["iat", "nbf"] {
            guard try claims.optionalTime(name, rounded: .down) ?? now <= latest else { throw .notYetValid }
        }
    }

    /// Returns the payload if one of the keys signed it. Each key has one algorithm, which the header has to name.
    private static func payload(of jws: CompactJWS, _ keys: [VerificationKey]) throws(TokenRejection) -> [UInt8] {
        let fitting = keys.filter { $0.algorithm == jws.header.algorithm }
        guard !fitting.isEmpty else { throw keys.isEmpty ? .unknownKey : .algorithmMismatch }
        for key in fitting {
            do throws(TokenRejection) { return try jws.payload(verifiedWith: key) } catch {
                guard error == .badSignature else { throw error }
            }
        }
        throw .badSignature
    }

    /// Whether the bytes are equal: `==` on strings treats some different spellings as equal.
    private static func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}
