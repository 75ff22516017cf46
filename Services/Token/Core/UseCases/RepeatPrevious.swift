import InternalAPI
import Policies
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
        case .repeatAnswer(let first, _, _):
            let expiresAt = session.accessExpiry(verdict.accessLifetimeSeconds(under: profile), from: now)
            let again = SessionChange.answerAgain(accessExpiresAt: expiresAt)
            guard try await store.apply(again, to: session, now: now) == .applied else { return .stale }
            let set = try await tokens.make(session, first, profile: profile, accessExpiresAt: expiresAt, now: now)
            return .held(RefreshAnswer(.repeated, tokens: set))
        case .refuse(let result):
            return .held(RefreshAnswer(result, reason: RefusedRefreshReason(result, of: session)))
        default: return .held(RefreshAnswer(.reused, reason: .superseded))
        }
    }
}
