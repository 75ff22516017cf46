import InternalAPI
import Policies
import ServiceKit
import Storage

/// Returns the session that a refresh token of the old server has opened (`dialects[].previous`), until its first refresh.
///
/// A lost response, a second tab and a call after a crash get the same session, and the old server is not asked again. A token that
/// comes after the first refresh is refused; the session stays active.
struct RepeatPrevious: Sendable {
    let policy: Policy
    let keys: RefreshTokenKeys
    let store: any SessionStore
    let tokens: SessionTokens
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    // A client that never refreshes could otherwise fill the audit.
    private let records = RecentRecords<SessionID>()

    /// - Returns: `unknown` for a token that has opened no session; `malformed` for what is not one, or if the policy has no old
    ///   server or its time is over.
    func callAsFunction(_ request: PreviousRepeatRequest) async throws -> RefreshAnswer {
        let now = now()
        guard let previous = PreviousToken(request.refreshToken),
            let until = policy.dialects.first(where: { $0.name == request.dialect })?.previous?.until, now < until,
            let profile = policy.profile(forDialect: request.dialect)
        else { return RefreshAnswer(.malformed) }
        return try await Decision.untilItHolds {
            switch try await store.session(openedBy: previous.grantID) {
            case nil: .held(RefreshAnswer(.unknown))
            case .gone: .held(RefreshAnswer(.expired, reason: .expired))
            case .session(let session): try await answer(previous, session, profile, now)
            }
        }
    }

    private func answer(
        _ previous: PreviousToken, _ session: SessionRecord, _ profile: TokenProfile, _ now: Int64
    ) async throws -> Attempt<RefreshAnswer> {
        let verdict = OpeningRule.judge(previous, of: session, keys: keys, now: now)
        switch verdict {
        case .repeatAnswer(let first, let late, _):
            let expiresAt = session.accessExpiry(verdict.accessLifetimeSeconds(under: profile), from: now)
            guard try await note(late, expiresAt, session, now) else { return .stale }
            let set = try await tokens.make(session, first, profile: profile, accessExpiresAt: expiresAt, now: now)
            return .held(RefreshAnswer(.repeated, tokens: set))
        case .refuse(let result):
            return .held(RefreshAnswer(result, reason: RefusedRefreshReason(result, of: session)))
        default: return .held(RefreshAnswer(.reused, reason: .superseded))
        }
    }

    /// Stores the new access token's expiry, a late repeat with at most one audit record an hour.
    ///
    /// - Returns: whether the session was as it was seen.
    private func note(
        _ late: LateRepeats?, _ accessExpiresAt: Int64, _ session: SessionRecord, _ now: Int64
    ) async throws -> Bool {
        var applied: Bool?
        if let late {
            try await records.once(session.id, now: now) {
                let change = SessionChange.answerAgain(accessExpiresAt: accessExpiresAt, late: late)
                applied = try await store.apply(change, to: session, now: now) == .applied
                return applied == true
            }
        }
        if let applied { return applied }
        let change = SessionChange.answerAgain(accessExpiresAt: accessExpiresAt)
        return try await store.apply(change, to: session, now: now) == .applied
    }
}
