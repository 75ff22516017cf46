import InternalAPI

/// The range of users on a page.
struct PageRequest: Sendable {
    let limit: Int
    /// The last user of the previous page, or `nil` if the page begins with the newest user.
    let last: UserID?

    /// - Throws: `InvalidInput` for an invalid limit or cursor.
    init(_ request: ListUsersRequest, idPrefix: String) throws(InvalidInput) {
        guard (1...UserPage.usersMax).contains(request.limit) else { throw .page("limit") }
        limit = request.limit
        last = try Self.last(request.cursor, idPrefix: idPrefix)
    }

    /// Reads a page's cursor, which is a user's id, or returns `nil` for the first page, which has no cursor.
    static func last(_ cursor: String?, idPrefix: String) throws(InvalidInput) -> UserID? {
        guard let cursor else { return nil }
        guard let id = UserID(text: cursor, prefix: idPrefix) else { throw .page("cursor") }
        return id
    }

    /// The cursor of the next page, or `nil` if this page, which shows `users`, is the last one.
    func next(behind users: [UserSummary]) -> String? { users.count == limit ? users.last?.id : nil }
}
