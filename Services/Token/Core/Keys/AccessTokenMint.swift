internal import AccessTokens
internal import CoreMetrics
internal import CryptoPrimitives
internal import InternalAPI
internal import Policies

/// Makes the access tokens of sessions.
struct AccessTokenMint: Sendable {
    /// No key signs with the profile's algorithm.
    struct NoKey: Error, CustomStringConvertible {
        let algorithm: String
        var description: String { "no key signs with \(algorithm)" }
    }

    private static let tokenIDByteCount = 16

    let issuer: String
    let audience: String
    let keys: SigningKeys

    /// Signs a token for `session`, off the caller's executor: RS256 takes most of a refresh's time.
    ///
    /// - Parameter now: the time that the session's row was given; the token expires when the row says so.
    @concurrent
    func mint(
        _ session: SessionRecord, claims: UserClaims, profile: TokenProfile, now: Int64
    ) async throws -> String {
        guard let algorithm = SignatureAlgorithm(rawValue: profile.algorithm),
            let key = keys.current.signingKey(for: algorithm)
        else { throw NoKey(algorithm: profile.algorithm) }
        let token = try AccessTokenSigner().sign(
            AccessTokenClaims(
                issuer: issuer, audience: [audience], subject: session.userID, issuedAt: now,
                expiresAt: now + profile.accessLifetimeSeconds,
                tokenID: Hex.encode(SecureRandom.bytes(Self.tokenIDByteCount)), sessionID: session.id.text,
                version: claims.version, additional: Self.additional(profile.claims, claims, userID: session.userID)),
            with: key)
        Counter(label: "auth_jwt_issued_total", dimensions: [("key", key.keyID)]).increment()
        return token
    }

    /// What the profile names of what the user has.
    private static func additional(
        _ names: [String], _ claims: UserClaims, userID: String
    ) -> [String: ClaimValue] {
        let known = ["phone": claims.phone, "email": claims.email, "role": claims.role, "user_id": userID]
        var additional: [String: ClaimValue] = [:]
        for name in names {
            if let value = known[name] ?? nil { additional[name] = .string(value) }
        }
        return additional
    }
}
