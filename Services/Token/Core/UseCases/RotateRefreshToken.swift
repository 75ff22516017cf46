import CallDeadlines
import CoreMetrics
import CryptoPrimitives
import InternalAPI
import Policies
import ServiceKit
import Storage

/// Rotates the session's refresh token and returns the successor.
///
/// The presented token is marked as used in the transaction that stores the successor (RFC 9700 §4.14.2). No response is sent
/// before that is durable, and none about a reuse before its revocation is known to Redis.
struct RotateRefreshToken: Sendable {
    let policy: Policy
    /// Token prefixes defined by the policy's profiles.
    let prefixes: Set<String>
    let keys: RefreshTokenKeys
    let store: any SessionStore
    let limiter: any RefreshLimiter
    let publisher: RevocationPublisher
    let tokens: SessionTokens
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    // A used token of a live session could otherwise fill the audit.
    private let records = RecentRecords<UsedToken>()
    private let counters = SeriesMemory<RefreshResult, Counter> { result in
        Counter(label: "auth_token_refresh_total", dimensions: [("result", result.rawValue)])
    }

    private let lateRepeatRuns = Counter(label: "auth_token_late_repeat_runs_total")

    /// A token that was presented again and did not revoke its session.
    private struct UsedToken: Hashable {
        let session: SessionID
        let generation: Int64
        let kind: RepeatableRecord
    }

    /// - Throws: `InvalidInput` for a bad `Idempotency-Key`, `UsedIdempotencyKey`, or the store's errors; nothing was used.
    func callAsFunction(_ request: RefreshRequest) async throws -> RefreshAnswer {
        let key = try IdempotencyKey.optional(request.idempotencyKey)
        let answer = try await answer(request, key, salt: Self.salt(callID: request.callID))
        counters[answer.result].increment()
        return answer
    }

    private func answer(
        _ request: RefreshRequest, _ key: IdempotencyKey?, salt: [UInt8]
    ) async throws -> RefreshAnswer {
        guard let bytes = RefreshToken.bytes(of: request.refreshToken, prefixes: prefixes) else {
            return RefreshAnswer(.malformed)
        }
        guard let token = keys.open(bytes) else { return RefreshAnswer(.unknown) }
        var usable = usable(try await store.session(at: token.locator), by: request)
        if usable == nil { usable = self.usable(try await store.durableSession(at: token.locator), by: request) }
        guard let (seen, profile) = usable else { return RefreshAnswer(.unknown) }
        let now = now()
        // The limit comes before the use, so that the token stays valid when it is exceeded. A dead token is not counted, because
        // its holder must not use up the limit of the owner's live sessions.
        if let limit = profile.refresh.limit, RotationRule.refusal(of: seen, now: now) == nil,
            let wait = await limiter.retryAfterSeconds(userID: seen.userID, limit: limit, now: now)
        {
            return RefreshAnswer(.rateLimited, retryAfterSeconds: wait)
        }
        let page = page(of: request)
        // A response that is repeated until it is used is made from what is stored, so that a request without a key gets it too.
        let key = profile.refresh.repeatsUntilUsed ? nil : key
        let attempt = RotationAttempt(
            token: token, idempotencyKey: page.map { $0.key.idempotencyKey(for: token) } ?? key, salt: salt, page: page)
        var answer = try await rotate(seen, attempt, profile, now)
        if policy.anomalies != .off, seen.isRefreshedByOtherDevice(request.userAgent) {
            answer.tokens?.isOtherDevice = true
        }
        return answer
    }

    /// Returns a session with its profile, or `nil` if the request may not use the session.
    ///
    /// Another host of the site can put a token of its own into a page's cookie, but not the secret that belongs to it. And a page's
    /// token that has leaked is useless without the secret.
    private func usable(
        _ session: SessionRecord?, by request: RefreshRequest
    ) -> (session: SessionRecord, profile: TokenProfile)? {
        guard let session, let profile = policy.profile(forDialect: session.dialect),
            session.accepts(pageSecret: request.pageSecret)
        else { return nil }
        return (session, profile)
    }

    /// Returns the page whose secret the request states, which belongs to the session.
    ///
    /// The key of its refresh is made here, whatever the request states, so that each later token can be computed.
    private func page(of request: RefreshRequest) -> PresentingPage? {
        guard let secret = request.pageSecret.flatMap(Base64URL.decode) else { return nil }
        let prefix = String(request.refreshToken.dropLast(2 * RefreshToken.byteCount))
        return PresentingPage(
            key: PageKey(secret: secret, prefix: prefix), lateTabSeconds: policy.web.lateTabSeconds)
    }

    /// Returns the salt. A call that is repeated between our processes has the same salt, and so the same successor.
    private static func salt(callID: String?) -> [UInt8] {
        guard let callID else { return SecureRandom.bytes(RotationRule.saltByteCount) }
        return Array(SHA256.hash(Array(callID.utf8)).prefix(RotationRule.saltByteCount))
    }

    /// Decides by the session as it was read, and again by its durable row if another request is faster.
    private func rotate(
        _ seen: SessionRecord, _ attempt: RotationAttempt, _ profile: TokenProfile, _ now: Int64
    ) async throws -> RefreshAnswer {
        var known: SessionRecord? = seen
        return try await Decision.untilItHolds {
            let isDurable = known == nil
            let read = if let known { known } else { try await store.durableSession(at: attempt.token.locator) }
            known = nil
            guard let session = read else { return .held(RefreshAnswer(.unknown)) }
            var plan = judge(session, attempt, profile, now)
            plan.isOfDurableRow = isDurable
            guard let kind = plan.verdict.repeatableRecord else {
                return try await carryOut(plan, session, profile, now)
            }
            let used = UsedToken(session: session.id, generation: attempt.token.generation, kind: kind)
            return try await carryOut(plan, recordedAs: used, session, profile, now)
        }
    }

    /// Carries out a plan with at most one audit record an hour.
    private func carryOut(
        _ plan: RotationPlan, recordedAs used: UsedToken, _ session: SessionRecord, _ profile: TokenProfile,
        _ now: Int64
    ) async throws -> Attempt<RefreshAnswer> {
        var (plan, outcome) = (plan, Attempt<RefreshAnswer>?.none)
        try await records.once(used, now: now) {
            outcome = try await carryOut(plan, session, profile, now)
            return outcome?.isHeld == true
        }
        if let outcome { return outcome }
        plan.isOnRecord = true
        return try await carryOut(plan, session, profile, now)
    }

    private func judge(
        _ session: SessionRecord, _ attempt: RotationAttempt, _ profile: TokenProfile, _ now: Int64
    ) -> RotationPlan {
        let verdict = RotationRule.judge(
            session, attempt, policy: session.pageHash == nil ? profile.refresh : profile.refresh.ofPage(policy.web),
            keys: keys, now: now)
        let lifetime = verdict.accessLifetimeSeconds(under: profile)
        return RotationPlan(verdict: verdict, accessExpiresAt: session.accessExpiry(lifetime, from: now))
    }

    /// Carries out a plan, which is stale if the session was changed meanwhile, or if it refuses by a row that may not be durable.
    private func carryOut(
        _ plan: RotationPlan, _ session: SessionRecord, _ profile: TokenProfile, _ now: Int64
    ) async throws -> Attempt<RefreshAnswer> {
        guard let change = plan.change else {
            guard plan.isOfDurableRow || plan.verdict == .usedKey else { return .stale }
            return .held(try await answer(plan, session, profile, now))
        }
        guard try await store.apply(change, to: session, now: now) == .applied else { return .stale }
        return .held(try await answer(plan, session.after(change, now: now), profile, now))
    }

    private func answer(
        _ plan: RotationPlan, _ session: SessionRecord, _ profile: TokenProfile, _ now: Int64
    ) async throws -> RefreshAnswer {
        switch plan.verdict {
        case .rotate(let rotation):
            return try await tokens(.rotated, session, rotation.successor, plan, profile, now)
        case .repeatAnswer(let successor, let late, _):
            if late?.count == LateRepeats.remarkable, !plan.isOnRecord { lateRepeatRuns.increment() }
            return try await tokens(.repeated, session, successor, plan, profile, now)
        case .reuse(let revokes):
            if revokes { try await publishRevocation(of: session, now) }
            return RefreshAnswer(.reused, reason: .reused)
        case .lateCopy: return RefreshAnswer(.reused, reason: .superseded)
        case .impossible: return RefreshAnswer(.unknown)
        case .usedKey: throw UsedIdempotencyKey()
        case .refuse(let result):
            if session.revokedFor == .reuse { try await publishUnpublished(ofUser: session.userID) }
            return RefreshAnswer(result, reason: RefusedRefreshReason(result, of: session))
        }
    }

    private func tokens(
        _ result: RefreshResult, _ session: SessionRecord, _ successor: RefreshToken, _ plan: RotationPlan,
        _ profile: TokenProfile, _ now: Int64
    ) async throws -> RefreshAnswer {
        let tokens = try await tokens.make(
            session, successor, profile: profile, accessExpiresAt: plan.accessExpiresAt, now: now)
        return RefreshAnswer(result, tokens: tokens)
    }

    /// Publishes a user's revocations. The call that revoked a session may not have reached Redis, and no reuse is answered before
    /// it has.
    private func publishUnpublished(ofUser userID: String) async throws {
        try await publisher.publish(try await publisher.store.unpublished(ofUser: userID))
    }

    private func publishRevocation(of session: SessionRecord, _ now: Int64) async throws {
        Counter(
            label: "auth_sessions_revoked_total", dimensions: [("reason", RevocationReason.reuse.rawValue)]
        ).increment()
        // The session was revoked in the transaction, however long the caller waits. This call finds the revocation that Redis does
        // not know yet.
        try await CallDeadline.lifted {
            try await publisher.publish(try await store.endWithActing(session, reason: .reuse, now: now))
        }
    }
}
