import InternalAPI

/// Lists the deployment's users for an administrator. user-service decides by its own row whether the bearer is one.
struct ListUsers: Sendable {
    /// The role that user-service requires.
    static let role = "admin"

    let user: ServiceClient

    /// - Parameter cursor: the `next` of the previous page, or `nil` for the first one.
    func callAsFunction(limit: Int, behind cursor: String?, _ call: ClientCall) async throws(Refusal) -> UserPage {
        try await user.answer(UserOperations.listAsAdmin, ListUsersRequest(limit: limit, cursor: cursor), for: call)
    }
}
