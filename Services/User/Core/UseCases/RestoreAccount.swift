import InternalAPI

/// Cancels a scheduled deletion before it is due, on request of the operator. The user's earlier sessions stay revoked.
struct RestoreAccount: Sendable {
    /// The outcome of a request.
    enum Outcome: Sendable, Equatable {
        /// The deletion is cancelled, or none was scheduled.
        case restored
        /// The deletion is due, and the promise to remove the data is kept.
        case tooLate
        case unknown
    }

    let store: any UserStore
    let userIDPrefix: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    func callAsFunction(_ request: RestoreUserRequest, requestID: String?) async throws -> Outcome {
        guard let id = UserID(text: request.userID, prefix: userIDPrefix) else { return .unknown }
        let origin = RequestOrigin.byOperator(requestID)
        return try await store.decide(UserQuestion(.user(id), askedAt: now())) { facts, now -> Verdict<Outcome> in
            guard let user = facts.holder else { return Verdict(.unknown) }
            guard let deletion = user.deletion else { return Verdict(.restored) }
            guard now < deletion.dueAt else { return Verdict(.tooLate) }
            return Verdict(.restored, [.update(user.restored(at: now)), .audit(AuditEntry(.restored, user, origin))])
        }
    }
}
