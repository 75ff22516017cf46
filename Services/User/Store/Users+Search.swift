import InternalAPI
import Storage
import UserCore

extension Users {
    /// The users that one page of changed users looks at, at most: a reader is not kept longer, however few were changed.
    static let changedScanMax = 20_000

    func search(_ beginning: IdentityBeginning, after last: String?, limit: Int) async throws -> [FoundUser] {
        try await database.read { reading in
            // Identities are printable ASCII, which comes before DEL.
            let rows = try reading.rows(
                Self.identified, beginning.kind.rawValue, Self.first(of: beginning.text, after: last),
                beginning.text + "\u{7F}", limit)
            return zip(try Self.seen(rows, in: reading), rows).map { user, row in
                FoundUser(user: user, value: row.text(UserRows.columnCount + 1))
            }
        }
    }

    func changed(
        since: Int64, behind last: UserID?, limit: Int
    ) async throws -> (users: [SeenUser], next: UserID?) {
        try await changed(since: since, behind: last, limit: limit, scanMax: Self.changedScanMax)
    }

    /// - Parameter scanMax: the users that are looked at.
    func changed(
        since: Int64, behind last: UserID?, limit: Int, scanMax: Int
    ) async throws -> (users: [SeenUser], next: UserID?) {
        let newest = last?.bytes ?? [UInt8](repeating: 0xFF, count: UserID.byteCount + 1)
        return try await database.read { reading in
            let end = try reading.rows(
                "SELECT id FROM users WHERE id < $1 ORDER BY id DESC LIMIT 1 OFFSET $2", newest, scanMax - 1
            ).first.map { try $0.userID(0) }
            let rows = try reading.rows(Self.changedUsers, limit, newest, end?.bytes ?? [], since)
            let users = try Self.seen(rows, in: reading)
            return (users, users.count == limit ? users.last?.user.id : end)
        }
    }

    /// The one lower bound of a page of values with a beginning. SQLite searches by one bound, and reads what a second one excludes.
    ///
    /// - Parameter last: the last value of the page before, which may be forged.
    static func first(of beginning: String, after last: String?) -> String {
        // No character of a value comes before this one.
        last.map { max(beginning, $0 + "\u{1}") } ?? beginning
    }

    /// Selects the users with an identity in a range, and the identity.
    static let identified: SQL = """
        SELECT \(UserRows.columns),
            \(lastUse), i.value
        FROM identities AS i JOIN users AS u ON u.id = i.user_id
        WHERE i.kind = $1 AND i.value >= $2 AND i.value < $3 ORDER BY i.value LIMIT $4
        """
    static let changedUsers = seen("u.id < $2 AND u.id >= $3 AND u.updated_at >= $4 ORDER BY u.id DESC LIMIT $1")
}
