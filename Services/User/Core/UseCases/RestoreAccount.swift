import InternalAPI
import Storage

/// Takes a scheduled removal back before its hour, at the operator's word; the user's sessions are over all the same.
struct RestoreAccount: Sendable {
    /// What came of it.
    enum Outcome: Sendable, Equatable {
        /// Or nothing was scheduled.
        case restored
        /// The promise to remove the data is kept from its hour on.
        case tooLate
        case unknown
    }

    let store: any UserStore
    let userIDPrefix: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    func callAsFunction(_ request: RestoreUserRequest, requestID: String?) async throws -> Outcome {
        guard let id = UserID(text: request.userID, prefix: userIDPrefix) else { return .unknown }
        let origin = RequestOrigin(requestID: requestID, method: RequestOrigin.operatorMethod)
        let now = self.now()
        return try await Decision.untilItHolds { () async throws -> Attempt<Outcome> in
            guard let user = try await store.user(id) else { return .held(.unknown) }
            guard let deletion = user.deletion else { return .held(.restored) }
            guard now < deletion.dueAt else { return .held(.tooLate) }
            let changes = UserChanges(
                user: user.restored(at: now),
                audit: AuditEntry(event: .restored, subject: user.pseudonym, origin: origin))
            return try await store.apply(changes, to: user, now: now).yielding(.restored)
        }
    }
}
