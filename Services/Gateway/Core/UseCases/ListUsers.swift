import InternalAPI

/// Lists the deployment's users for an administrator. user-service decides by its own row whether the bearer is one.
struct ListUsers: Sendable {
    /// The role that user-service requires.
    private static let role = "admin"

    let user: ServiceClient

    /// - Parameter cursor: the `next` of the previous page, or `nil` for the first one.
    func callAsFunction(limit: Int, behind cursor: String?, _ call: ClientCall) async throws(Refusal) -> UserPage {
        let request = ListUsersRequest(limit: limit, cursor: cursor)
        switch try await user.ask(UserOperations.listAsAdmin, request, for: call) {
        case .answer(let page): return page
        case .refused(.invalidRequest, _): throw .invalidMember
        case .refused(.invalidToken, _): throw .accessTokenInvalid
        case .refused(.accountInactive, _): throw .accountInactive
        case .refused(.forbidden, _): throw .roleMissing([Self.role])
        }
    }
}
