import Storage
import UserCore

extension Users {
    /// The most rows of users that one page reads.
    static let quietRowsMax = 1_000

    static let quietEnd: SQL = "SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT 1 OFFSET $2"
    static let quiet: SQL = """
        SELECT \(UserRows.columns),
            (SELECT max(moves_at) FROM pending_changes WHERE user_id = u.id AND kind = '\(PendingChange.Kind.inactivity.rawValue)')
        FROM users AS u
        WHERE u.id > $1 AND u.id <= $2 AND u.updated_at < $3 AND u.role = $4 AND u.is_active = true
            AND u.is_for_review = false AND u.deletion_due_at IS NULL
            AND NOT EXISTS (
                SELECT 1 FROM identities AS i WHERE i.user_id = u.id AND (i.last_used_at >= $3 OR i.created_at >= $3))
            AND NOT EXISTS (
                SELECT 1 FROM passkeys AS p WHERE p.user_id = u.id AND (p.last_used_at >= $3 OR p.created_at >= $3))
            AND NOT EXISTS (SELECT 1 FROM reviews AS r WHERE r.user_id = u.id)
        ORDER BY u.id LIMIT $5
        """

    func quietUsers(behind last: UserID?, unusedSince start: Int64, limit: Int) async throws -> QuietUserPage {
        let first = last?.bytes ?? []
        return try await database.read { reading in
            let end = try reading.rows(Self.quietEnd, first, Self.quietRowsMax - 1).first?.userID(0)
            let highest = end?.bytes ?? [UInt8](repeating: 0xFF, count: UserID.byteCount)
            let users = try reading.rows(Self.quiet, first, highest, start, User.defaultRole, limit).compactMap { row in
                try UserRows.user(row).map { QuietUser(user: $0, removesAt: row.optionalInteger(UserRows.columnCount)) }
            }
            return QuietUserPage(users: users, next: users.count == limit ? users.last?.user.id : end)
        }
    }
}
