import InternalAPI
import Policies

/// Lists the users who would be told or removed because they were away for long. It changes nothing.
struct ListInactive: Sendable {
    /// `nil` if the policy removes no such accounts.
    let accounts: InactiveAccounts?
    let store: any UserStore
    let userIDPrefix: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidInput` for a cursor that is no user's id; `ServiceUnavailable`; `StorageError`.
    func callAsFunction(
        _ request: InactiveUsersRequest, requestID: String?
    ) async throws -> OperationOutcome<InactiveUserPage, InvalidRequestOnly> {
        guard let accounts else {
            return .refused(.invalidRequest, title: "The policy has no accounts.inactive, so no account is removed")
        }
        let last = try request.cursor.map { text in
            guard let id = UserID(text: text, prefix: userIDPrefix) else { throw InvalidInput(member: "cursor") }
            return id
        }
        let now = now()
        if last == nil { try await store.note([.audit(.lookUp("inactive", .byOperator(requestID)))], now: now) }
        let (people, next) = try await accounts.turn(behind: last, now: now)
        return .answer(
            InactiveUserPage(
                users: people.map {
                    InactiveUserPage.Person(
                        userID: $0.quiet.user.id.text(prefix: userIDPrefix), removesAt: $0.quiet.removesAt,
                        isReached: !$0.recipients.isEmpty)
                },
                next: next?.text(prefix: userIDPrefix), confirmation: accounts.rule.confirmation,
                isConfirmed: accounts.rule.isConfirmed, withoutNotice: accounts.rule.policy.withoutNotice))
    }
}
