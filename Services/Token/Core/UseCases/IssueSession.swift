internal import CoreMetrics
internal import CryptoPrimitives
internal import InternalAPI
internal import Policies

/// Spends a grant for a session (design section 4, step 3).
///
/// The grant's id is spent in the transaction that creates the session. The same request with the same `Idempotency-Key`
/// within 60 s has the same session and refresh token, as long as the session has not been refreshed. A session beyond the
/// user's number ends the one that was used longest ago.
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
    let openings: SessionOpenings
    let store: any SessionStore
    let publisher: RevocationPublisher
    let tokens: SessionTokens
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidRequest`; the store's errors, and then nothing was spent.
    func callAsFunction(_ request: IssueRequest) async throws -> Outcome {
        let key = try IdempotencyKey.optional(request.idempotencyKey)
        guard let profile = policy.profile(forDialect: request.dialect) else { throw InvalidRequest("unknown dialect") }
        let now = now()
        let accessExpiresAt = now + profile.accessLifetimeSeconds
        guard let grant = Self.open(request.grant, grantKeys, now) else { return .grantRefused }
        let opening = try openings.opening(grant, request, key, profile, now)
        switch try await store.open(opening, now: now) {
        case .opened(let session, let token, let displaced):
            try await publish(displaced)
            Counter(label: "auth_signins_total", dimensions: [("method", grant.method)]).increment()
            return .issued(
                try await tokens.make(
                    session, token, profile: profile, accessExpiresAt: accessExpiresAt, now: now))
        case .repeated(let session, let token):
            return .issued(
                try await tokens.make(session, token, profile: profile, accessExpiresAt: accessExpiresAt, now: now))
        case .spent: return .grantRefused
        case .epochStale: return .epochStale
        }
    }

    /// Whoever signs in waits for the ends that come with it, as those who sign out do.
    private func publish(_ displaced: [Revocation]) async throws {
        guard !displaced.isEmpty else { return }
        try await publisher.publish(displaced)
        RevocationReason.displaced.count(displaced)
    }

    private static func open(_ grant: String, _ keys: KeyRing, _ now: Int64) -> Grant? {
        do { return try Grant.open(grant, with: keys, now: now) } catch { return nil }
    }
}
