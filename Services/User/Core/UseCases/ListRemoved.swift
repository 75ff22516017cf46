import InternalAPI

/// Tells the operator who was removed, by the bare ids that are left of them.
struct ListRemoved: Sendable {
    let queries: any UserQueries
    let userIDPrefix: String

    /// - Returns: nil when the cursor is no id.
    func callAsFunction(_ request: RemovedUsersRequest) async throws -> RemovedUsers? {
        let last = request.cursor.flatMap { UserID(text: $0, prefix: userIDPrefix) }
        guard request.cursor == nil || last != nil else { return nil }
        let ids = try await queries.removed(behind: last, limit: RemovedUsers.idsMax)
        return RemovedUsers(userIDs: ids.map { $0.text(prefix: userIDPrefix) })
    }
}
