import InternalAPI

/// Cancels a scheduled deletion before it is due, on request of the operator. The user's earlier sessions stay revoked.
struct RestoreAccount: Sendable {
    typealias Outcome = OperationOutcome<Done, RestoreUserRefusal>

    var store: any UserStore
    let userIDPrefix: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Succeeds also if no deletion is scheduled. One that is due is carried out, as was promised.
    func callAsFunction(_ request: RestoreUserRequest, requestID: String?) async throws -> Outcome {
        guard let id = UserID(text: request.userID, prefix: userIDPrefix) else { return .refused(.notFound) }
        let origin = RequestOrigin.byOperator(requestID)
        return try await store.decide(UserQuestion(.user(id), askedAt: now())) { facts, now -> Verdict<Outcome> in
            guard let user = facts.holder else { return Verdict(.refused(.notFound)) }
            guard let deletion = user.deletion else { return Verdict(.answer(Done())) }
            guard now < deletion.dueAt else { return Verdict(.refused(.removalDue)) }
            return Verdict(
                .answer(Done()), [.update(user.restored(at: now)), .audit(AuditEntry(.restored, user, origin))])
        }
    }
}
