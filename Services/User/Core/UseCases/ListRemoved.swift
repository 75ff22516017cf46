import InternalAPI

/// Tells the operator who was removed, by the bare ids that are left of them.
struct ListRemoved: Sendable {
    let store: any RemovalStore
    let userIDPrefix: String

    /// - Returns: nil when the cursor is no id.
    func callAsFunction(_ request: RemovedUsersRequest) async throws -> RemovedUsers? {
        let last = request.cursor.map { UserID(text: $0, prefix: userIDPrefix) }
        if case .some(nil) = last { return nil }
        let ids = try await store.removed(behind: last ?? nil, limit: RemovedUsers.idsMax)
        return RemovedUsers(userIDs: ids.map { $0.text(prefix: userIDPrefix) })
    }
}
