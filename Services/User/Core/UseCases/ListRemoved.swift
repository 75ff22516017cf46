import InternalAPI

/// Lists removed users for the operator, by the bare ids that remain of them.
struct ListRemoved: Sendable {
    let queries: any UserQueries
    let userIDPrefix: String

    /// - Throws: `InvalidInput` if the cursor is no id; `StorageError`.
    func callAsFunction(_ request: RemovedUsersRequest) async throws -> RemovedUsers {
        let last = try PageRequest.last(request.cursor, idPrefix: userIDPrefix)
        let ids = try await queries.removed(behind: last, limit: RemovedUsers.idsMax)
        return RemovedUsers(userIDs: ids.map { $0.text(prefix: userIDPrefix) })
    }
}
