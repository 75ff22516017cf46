import AuthAPI
import InternalAPI

/// Schedules the deletion of the bearer's account without their password.
///
/// A user with a password must have signed in a moment ago, so that a stolen session cannot delete an account that a password
/// protects.
struct DeleteOwnAccount: Sendable {
    /// The longest time since the sign-in, in seconds.
    static let signInAgeMax: Int64 = 300

    let act: AccountAct
    /// Whether the policy has passwords.
    let hasPasswords: Bool
    let tokenService: ServiceClient
    let delete: DeleteAccount

    typealias Outcome = OperationOutcome<Done, DeleteAccountRefusal>

    /// - Throws: `StorageError`; `Unconfirmed`; `ServiceUnavailable` if token-service does not return when the user signed in.
    func callAsFunction(_ caller: SignedInUser, accessToken: String?, requestID: String?) async throws -> Outcome {
        let facts = try await act.facts(of: caller, nil)
        guard let user = facts.holder else { return .refused(.invalidToken) }
        // A repeat changes nothing, and its session is revoked already.
        if hasPasswords, facts.password != nil, user.deletion == nil {
            guard let signedInAt = try await signInTime(accessToken, requestID) else { return .refused(.invalidToken) }
            guard act.now() - signedInAt < Self.signInAgeMax else { return .refused(.reauthenticationRequired) }
        }
        return try await delete(caller, requestID: requestID) == nil ? .refused(.invalidToken) : .answer(Done())
    }

    /// The Unix time in seconds at which the session of an access token began, or `nil` if the session is revoked.
    private func signInTime(_ accessToken: String?, _ requestID: String?) async throws -> Int64? {
        let outcome = try await tokenService.call(
            TokenOperations.ownSessions, accessToken: accessToken, requestID: requestID)
        guard case .answer(let list) = outcome else { return nil }
        // Only the newest sessions are listed, so a session that is missing is an old one.
        return list.sessions.first { $0.current }?.createdAt ?? 0
    }
}
