import InternalAPI
import Policies

/// Schedules the deletion of the bearer's account without their password.
///
/// A user with a password must have shown who they are a moment ago, so that a stolen session cannot delete an account that a
/// password protects. The policy may require it of every user.
struct DeleteOwnAccount: Sendable {
    let act: AccountAct
    /// Whether the policy has passwords.
    let hasPasswords: Bool
    let policy: ReauthenticationPolicy
    let recentAuthentication: RecentAuthentication
    let delete: DeleteAccount

    typealias Outcome = OperationOutcome<Done, DeleteAccountRefusal>

    /// - Throws: `StorageError`; `Unconfirmed`; `ServiceUnavailable` if token-service does not respond.
    func callAsFunction(_ caller: SignedInUser, accessToken: String?, requestID: String?) async throws -> Outcome {
        let facts = try await act.facts(of: caller, nil)
        guard let user = facts.holder else { return .refused(.invalidToken) }
        // A repeat changes nothing, and its session is revoked already.
        if policy.deletion || hasPasswords && facts.password != nil, user.deletion == nil {
            switch try await recentAuthentication(accessToken, within: policy.withinSeconds, requestID: requestID) {
            case .recent: break
            case .old: return .refused(.reauthenticationRequired)
            case .noSession: return .refused(.invalidToken)
            }
        }
        do {
            return try await delete(caller, requestID: requestID) == nil ? .refused(.invalidToken) : .answer(Done())
        } catch let refused as AdministratorRefusal where refused.code == .lastAdministrator {
            return .refused(.lastAdministrator)
        }
    }
}
