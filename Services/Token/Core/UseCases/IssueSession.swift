import CoreMetrics
import CryptoPrimitives
import InternalAPI
import Policies
import Storage

/// Uses a grant to open a session (design section 4, step 3).
///
/// The grant's id is marked as used in the transaction that creates the session. The same request with the same `Idempotency-Key`
/// within 60 s gets the same session and refresh token, as long as the session has not been refreshed. A session beyond the user's
/// limit revokes the one that was used longest ago, and a page's sign-in the session that the page had before.
struct IssueSession: Sendable {
    typealias Outcome = OperationOutcome<TokenSet, IssueRefusal>

    let policy: Policy
    /// `grant_user_token`.
    let grantKeys: KeyRing
    let openings: SessionOpenings
    let tokenKeys: RefreshTokenKeys
    let store: any SessionStore
    let publisher: RevocationPublisher
    let tokens: SessionTokens
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidInput`, or the store's errors, in which case nothing was used.
    func callAsFunction(_ request: IssueRequest) async throws -> Outcome {
        let key = try IdempotencyKey.optional(request.idempotencyKey)
        guard let profile = policy.profile(forDialect: request.dialect) else { throw InvalidInput("unknown dialect") }
        let now = now()
        guard let grant = Self.open(request.grant, grantKeys, now) else { return .refused(.grantRefused) }
        let (opening, token) = try openings.opening(
            grant, request, key, profile, locator: try await store.reserveLocator(), now: now)
        switch try await store.open(opening, now: now) {
        case .opened(let displaced):
            try await publish(displaced)
            Counter(label: "auth_signins_total", dimensions: [("method", PasskeyMethod.label(grant.method))])
                .increment()
            return .answer(
                try await tokenSet(opening.session, token, profile, expiresAt: opening.session.accessExpiresAt, now))
        case .used(let session): return try await repeated(session, grant, key, profile, now)
        case .grantStale: return .refused(.grantStale)
        }
    }

    private func tokenSet(
        _ session: SessionRecord, _ token: RefreshToken, _ profile: TokenProfile, expiresAt: Int64, _ now: Int64
    ) async throws -> TokenSet {
        var set = try await tokens.make(session, token, profile: profile, accessExpiresAt: expiresAt, now: now)
        set.pageSecret = session.pageHash.flatMap { tokenKeys.pageSecret(of: token, hash: $0) }.map(Base64URL.encode)
        return set
    }

    /// Returns the same response for the same request. A grant that another request has used is refused.
    private func repeated(
        _ session: SessionRecord?, _ grant: Grant, _ key: IdempotencyKey?, _ profile: TokenProfile, _ now: Int64
    ) async throws -> Outcome {
        guard let session,
            let token = OpeningRule.repeatedToken(
                session, grantID: grant.id, idempotencyKey: key, keys: tokenKeys, now: now)
        else { return .refused(.grantRefused) }
        let expiresAt = session.accessExpiry(profile.accessLifetimeSeconds, from: now)
        // A session that was used or revoked meanwhile has no first token any more.
        guard try await store.apply(.answerAgain(accessExpiresAt: expiresAt), to: session, now: now) == .applied
        else { return .refused(.grantRefused) }
        return .answer(try await tokenSet(session, token, profile, expiresAt: expiresAt, now))
    }

    /// Publishes the revocations that a sign-in causes. The user waits for them, as a user who signs out does.
    private func publish(_ displaced: [Revocation]) async throws {
        guard !displaced.isEmpty else { return }
        try await publisher.publish(displaced)
        for revocation in displaced { revocation.reason.count([revocation]) }
    }

    private static func open(_ grant: String, _ keys: KeyRing, _ now: Int64) -> Grant? {
        let opened: Grant
        do { opened = try Grant.open(grant, with: keys, now: now) } catch { return nil }
        // A session that would have ended already is not opened.
        return opened.accessEndsAt.map { $0 > now } ?? true ? opened : nil
    }
}
