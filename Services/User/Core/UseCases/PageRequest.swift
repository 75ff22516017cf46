import InternalAPI

/// Which users a page shows.
struct PageRequest: Sendable {
    let limit: Int
    /// The last user of the page before; `nil` for the page that begins with the newest user.
    let last: UserID?

    /// - Throws: `InvalidInput` for the limit or the cursor.
    init(_ request: ListUsersRequest, idPrefix: String) throws(InvalidInput) {
        guard (1...UserPage.usersMax).contains(request.limit) else { throw .page("limit") }
        limit = request.limit
        last = try Self.last(request.cursor, idPrefix: idPrefix)
    }

    /// The user whose id is a page's cursor; `nil` for the first page, which has none.
    static func last(_ cursor: String?, idPrefix: String) throws(InvalidInput) -> UserID? {
        guard let cursor else { return nil }
        guard let id = UserID(text: cursor, prefix: idPrefix) else { throw .page("cursor") }
        return id
    }

    /// The cursor of the page after `users`, which this one shows; `nil` after the last one.
    func next(behind users: [UserSummary]) -> String? { users.count == limit ? users.last?.id : nil }
}
