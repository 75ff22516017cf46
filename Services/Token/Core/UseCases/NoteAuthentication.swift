import AccessTokens
import CryptoPrimitives
import InternalAPI

/// Notes in the bearer's session that its user has shown again who they are (RFC 9470), and returns the last time.
///
/// user-service has judged the proof and sealed a statement about it, so the gateway alone cannot make a session look recent.
struct NoteAuthentication: Sendable {
    /// `grant_user_token`.
    let statementKeys: KeyRing
    let bearers: BearerSessions
    let store: any SessionStore
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    func callAsFunction(
        _ statement: String, accessToken: String
    ) async throws -> OperationOutcome<Done, NoteAuthenticationRefusal> {
        let now = now()
        return try await bearers.admit(accessToken, now: now) { session in
            guard let statement = open(statement, now), statement.sessionID == session.id.text,
                statement.userID == session.userID
            else { return .refused(.attestationRefused) }
            // A time in the future would stay recent for longer than the policy says.
            let time = min(statement.at, now)
            switch try await store.noteAuthentication(of: session.id, statement, at: time, now: now) {
            case .noted: break
            case .unchanged: try await store.confirm()
            case .stale: return .refused(.attestationRefused)
            case .noSession: return .refused(.invalidToken)
            }
            return .answer(Done())
        }
    }

    /// Returns when the user of the bearer's session last showed who they are.
    func last(accessToken: String) async throws -> OperationOutcome<SessionAuthentication, BearerRefusal> {
        let now = now()
        return try await bearers.admit(accessToken, now: now) { session in
            // A time in the future, which a wrong clock left, is no recent one.
            let isPast = session.authenticatedAt <= now + TokenLimits.futureSecondsMax
            return .answer(
                SessionAuthentication(
                    authenticatedAt: isPast ? session.authenticatedAt : 0, factors: session.factors,
                    latestFactors: session.latestFactors,
                    recoveredAt: session.method == Attestation.recoveryMethod ? session.createdAt : nil))
        }
    }

    private func open(_ text: String, _ now: Int64) -> Reauthentication? {
        do throws(SealRefusal) { return try Reauthentication.open(text, with: statementKeys, now: now) } catch {
            return nil
        }
    }
}
