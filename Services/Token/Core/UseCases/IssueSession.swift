internal import CoreMetrics
internal import CryptoPrimitives
internal import InternalAPI
internal import Policies

/// Spends a grant for a session (design section 4, step 3).
///
/// The grant's id is spent in the transaction that creates the session. The same request with the same `Idempotency-Key`
/// within 60 s has the same session and refresh token, as long as the session has not been refreshed.
struct IssueSession: Sendable {
    /// What came of it.
    enum Outcome: Sendable, Equatable {
        case issued(TokenSet)
        /// Forged, expired, or spent.
        case grantRefused
        /// Older than the user's last revocation: to be resolved again.
        case epochStale
    }

    let policy: Policy
    /// `grant_user_token`.
    let grantKeys: KeyRing
    let tokenKeys: RefreshTokenKeys
    let store: any SessionStore
    let claims: ClaimsSeal
    let tokens: SessionTokens
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidRequest`; the store's errors, and then nothing was spent.
    func callAsFunction(_ request: IssueRequest) async throws -> Outcome {
        let key = try IdempotencyKey.optional(request.idempotencyKey)
        guard let profile = policy.profile(forDialect: request.dialect) else { throw InvalidRequest("unknown dialect") }
        let now = now()
        guard let grant = Self.open(request.grant, grantKeys, now) else { return .grantRefused }
        let opening = try opening(grant, request, key, profile, now)
        switch try await store.open(opening, now: now) {
        case .opened(let session, let token):
            Counter(label: "auth_signins_total", dimensions: [("method", grant.method)]).increment()
            return .issued(try await tokens.make(session, token, profile: profile, now: now))
        case .repeated(let session, let token):
            return .issued(try await tokens.make(session, token, profile: profile, now: now))
        case .spent: return .grantRefused
        case .epochStale: return .epochStale
        }
    }

    private static func open(_ grant: String, _ keys: KeyRing, _ now: Int64) -> Grant? {
        do { return try Grant.open(grant, with: keys, now: now) } catch { return nil }
    }

    private func opening(
        _ grant: Grant, _ request: IssueRequest, _ key: IdempotencyKey?, _ profile: TokenProfile, _ now: Int64
    ) throws -> SessionOpening {
        let id = SessionID.random()
        let device = DeviceFacts(request)
        let refresh = profile.refresh
        return SessionOpening(
            grantID: grant.id, grantExpiresAt: grant.expiresAt, userID: grant.userID, epoch: grant.epoch,
            version: grant.claims.version, id: id, dialect: request.dialect, method: grant.method, createdAt: now,
            idleExpiresAt: now + refresh.idleLifetimeSeconds,
            absoluteExpiresAt: refresh.absoluteLifetimeSeconds.map { now + $0 },
            accessExpiresAt: now + profile.accessLifetimeSeconds, device: device.name, network: device.network,
            sealedClaims: try claims.seal(grant.claims, for: id),
            firstToken: firstToken(grantID: grant.id, key),
            repeatedToken: { [tokenKeys] session in
                OpeningRule.repeatedToken(
                    session, grantID: grant.id, idempotencyKey: key, keys: tokenKeys, now: now)
            })
    }

    /// With a key the token can be made again, without one it is random.
    private func firstToken(grantID: String, _ key: IdempotencyKey?) -> @Sendable (Int64) -> RefreshToken {
        let newest = tokenKeys.newest
        guard let key else {
            let secret = SecureRandom.bytes(RefreshToken.secretByteCount)
            return { newest.make(locator: $0, generation: 0, secret: secret) }
        }
        return { newest.first(locator: $0, grantID: grantID, idempotencyKey: key.text) }
    }
}
