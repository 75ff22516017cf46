import AccessTokens
import CoreMetrics
import CryptoPrimitives
import InternalAPI
import Policies
import ServiceKit

/// Makes the access tokens of sessions and of clients.
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
    /// The forms of users' tokens by the names of profiles that have other ones.
    var forms: [String: TokenForm] = [:]
    private let counters = SeriesMemory<String, Counter> { keyID in
        Counter(label: "auth_jwt_issued_total", dimensions: [("key", keyID)])
    }

    /// Signs a token for `session`. If somebody acts as its user, the token has `act` and an audience of its own, and no `auth_time`,
    /// `acr` and `amr`, since the user was not there.
    ///
    /// - Parameters:
    ///   - expiresAt: the token's expiry, not later than the session's row states for its last access token.
    ///   - now: the time that was written to the session's row.
    func mint(
        _ session: SessionRecord, claims: UserClaims, profile: TokenProfile, expiresAt: Int64, now: Int64
    ) async throws -> String {
        let form = session.actorID == nil ? forms[profile.name] : nil
        var signed = AccessTokenClaims(
            issuer: form?.issuer ?? issuer,
            audience: [form?.audience ?? (session.actorID == nil ? audience : ActingAudience.of(audience))],
            subject: session.userID, issuedAt: now, expiresAt: expiresAt, tokenID: Self.tokenID(),
            sessionID: session.id.text, version: claims.version, actor: session.actorID)
        if let prefix = form?.supabasePrefix {
            let payload = SupabaseClaims(session: session, user: claims)
            return try await sign(try payload.payload(signed, userIDPrefix: prefix), profile)
        }
        signed.additional = Self.additional(profile, claims, session)
        if session.actorID != nil {
            for claim in TokenProfile.claimsOfAuthentication { signed.additional[claim] = nil }
        }
        return try await sign(try signed.json(), profile)
    }

    /// Signs a client's token. Its audience is that of no user's token, so that nothing takes `sub` for a user
    /// (`ClientAudience`).
    ///
    /// - Parameters:
    ///   - expiresAt: Unix time in seconds.
    ///   - now: Unix time in seconds.
    func mint(
        _ grant: ClientGrant, profile: TokenProfile, expiresAt: Int64, now: Int64
    ) async throws -> String {
        let claims = AccessTokenClaims(
            issuer: issuer, audience: [ClientAudience.of(audience)], subject: grant.clientID, issuedAt: now,
            expiresAt: expiresAt, tokenID: Self.tokenID(), sessionID: grant.sid, version: 0,
            additional: [ClientAudience.claim: .string(grant.clientID), "role": .string(grant.role)])
        return try await sign(try claims.json(), profile)
    }

    private static func tokenID() -> String { Hex.encode(SecureRandom.bytes(tokenIDByteCount)) }

    private func sign(_ payload: [UInt8], _ profile: TokenProfile) async throws -> String {
        guard let algorithm = SignatureAlgorithm(rawValue: profile.algorithm),
            let key = keys.current.signingKey(for: algorithm)
        else { throw NoKey(algorithm: profile.algorithm) }
        let token = try await Self.sign(payload, with: key)
        counters[key.keyID].increment()
        return token
    }

    /// Signs a payload. RS256 takes most of a refresh's time and would block the process's event loop, so it runs on another
    /// thread. The other algorithms take less time than the change of threads.
    private static func sign(_ payload: [UInt8], with key: SigningKey) async throws -> String {
        guard key.algorithm == .RS256 else { return try AccessTokenSigner().sign(payload: payload, with: key) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try await signBeside(payload, with: key)
        }
    }

    @concurrent
    private static func signBeside(_ payload: [UInt8], with key: SigningKey) async throws -> String {
        try AccessTokenSigner().sign(payload: payload, with: key)
    }

    /// Returns the values of the claims that the profile lists and maps.
    private static func additional(
        _ profile: TokenProfile, _ claims: UserClaims, _ session: SessionRecord
    ) -> [String: ClaimValue] {
        var additional: [String: ClaimValue] = [:]
        if let mapped = claims.mapped {
            for claim in profile.mappedClaims { additional[claim.name] = mapped[claim.source.text] }
        }
        for name in profile.claims {
            additional[name] =
                switch name {
                case "phone": claims.phone.map(ClaimValue.string)
                case "email": claims.email.map(ClaimValue.string)
                case "role": .string(claims.role)
                case "user_id": .string(session.userID)
                case "legacy_id": claims.legacyID.map(ClaimValue.string)
                case TokenProfile.authenticationTime: .integer(session.authenticatedAt)
                case TokenProfile.level: .string(session.factors.acr)
                case TokenProfile.methods: .strings(session.factors.amr)
                default: nil
                }
        }
        return additional
    }
}
