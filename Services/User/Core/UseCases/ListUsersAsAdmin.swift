import InternalAPI

/// Lists users for an administrator, page by page. The role is read from the administrator's row, since a token may be outdated.
///
/// Each page has an audit record with the administrator's pseudonym and session. Requests of other users are recorded too, once
/// an hour on each replica.
struct ListUsersAsAdmin: Sendable {
    let check: AdministratorCheck
    let userIDPrefix: String
    let attributes: AttributeRules
    /// The rule for the role; `nil` if the policy has no second factor.
    var factors: (recent: RecentAuthentication, rule: SecondFactorRule)?

    typealias Outcome = OperationOutcome<UserPage, AdminRefusal>

    /// - Throws: `InvalidInput` for an invalid limit or cursor; `StorageError`.
    func callAsFunction(
        _ caller: SignedInUser, _ request: ListUsersRequest, accessToken: String? = nil, requestID: String?
    ) async throws -> Outcome {
        let admin: User
        do {
            admin = try await check(caller, "list", requestID: requestID)
            try await factors?.recent.requireFactors(of: admin.role, factors?.rule, accessToken, requestID: requestID)
        } catch let refused as AdministratorRefusal {
            return .refused(AdminRefusal(rawValue: refused.code.rawValue) ?? .forbidden)
        }
        let page = try PageRequest(request, idPrefix: userIDPrefix)
        let seen = try await check.queries.page(behind: page.last, limit: page.limit)
        let origin = RequestOrigin(
            requestID: requestID, sessionID: caller.sessionID, method: RequestOrigin.administratorMethod)
        try await check.store.note(
            [.audit(AuditEntry(.lookedUp, admin, origin, detail: "list: \(seen.count)"))], now: check.now())
        let facts = seen.map { UserSummary($0, idPrefix: userIDPrefix, attributes: attributes) }
        return .answer(UserPage(users: facts, next: page.next(behind: facts)))
    }
}
