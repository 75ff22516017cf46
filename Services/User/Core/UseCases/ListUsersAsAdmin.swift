import InternalAPI
import ServiceKit

/// Lists users for an administrator, page by page. The role is read from the administrator's row, since a token may be outdated.
///
/// Each page has an audit record with the administrator's pseudonym and session. Requests of other users are recorded too, once
/// an hour on each replica.
struct ListUsersAsAdmin: Sendable {
    let store: any UserStore
    let queries: any UserQueries
    let userIDPrefix: String
    let attributes: AttributeRules
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    private let refusals = RecentRecords<UserID>()

    typealias Outcome = OperationOutcome<UserPage, AdminRefusal>

    /// - Throws: `InvalidInput` for an invalid limit or cursor; `StorageError`.
    func callAsFunction(
        _ caller: SignedInUser, _ request: ListUsersRequest, requestID: String?
    ) async throws -> Outcome {
        guard let admin = try await queries.bearer(caller.id) else { return .refused(.invalidToken) }
        guard admin.isActive else { return .refused(.accountInactive) }
        guard admin.deletion == nil else { return .refused(.invalidToken) }
        guard admin.role == CreateAdmin.role else {
            try await noteRefusal(of: admin, RequestOrigin(requestID: requestID, sessionID: caller.sessionID))
            return .refused(.forbidden)
        }
        let page = try PageRequest(request, idPrefix: userIDPrefix)
        let seen = try await queries.page(behind: page.last, limit: page.limit)
        let origin = RequestOrigin(
            requestID: requestID, sessionID: caller.sessionID, method: RequestOrigin.administratorMethod)
        try await store.note([.audit(AuditEntry(.lookedUp, admin, origin, detail: "list: \(seen.count)"))], now: now())
        let facts = seen.map { UserSummary($0, idPrefix: userIDPrefix, attributes: attributes) }
        return .answer(UserPage(users: facts, next: page.next(behind: facts)))
    }

    private func noteRefusal(of user: User, _ origin: RequestOrigin) async throws {
        let now = now()
        try await refusals.once(user.id, now: now) {
            try await store.note([.audit(AuditEntry(.lookRefused, user, origin, detail: "list"))], now: now)
            return true
        }
    }
}
