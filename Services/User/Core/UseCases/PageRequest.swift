import InternalAPI

/// Which users a page shows.
struct PageRequest: Sendable {
    let limit: Int
    /// Behind whom it begins; nil: with the newest.
    let last: UserID?

    /// Nil when the limit or the cursor is none.
    init?(_ request: ListUsersRequest, idPrefix: String) {
        guard (1...UserPage.usersMax).contains(request.limit) else { return nil }
        limit = request.limit
        guard let cursor = request.cursor else {
            last = nil
            return
        }
        guard let id = UserID(text: cursor, prefix: idPrefix) else { return nil }
        last = id
    }

    /// The cursor of the page behind `users`, which this one shows; nil behind the last one.
    func next(behind users: [UserSummary]) -> String? { users.count == limit ? users.last?.id : nil }
}
