import InternalAPI
import Storage
import UserCore

/// Reads and writes rows of `reviews`.
enum ReviewRows {
    static let after: SQL = "SELECT user_id, since, opened_at FROM reviews WHERE user_id > $1 ORDER BY user_id LIMIT $2"

    static func review(_ row: Row) throws -> AccountReview {
        AccountReview(user: try row.userID(0), since: row.integer(1), openedAt: row.integer(2))
    }

    /// Returns the statement that opens a user's review, with a row if the user exists. One that is open goes back to the earlier of
    /// both events, and ends by itself only if both do.
    ///
    /// - Parameter until: The Unix time in seconds at which it ends by itself; `nil` if only the operator ends it.
    static func opening(of user: UserID, since: Int64, until: Int64?, now: Int64) -> Statement {
        Statement(
            """
            INSERT INTO reviews (user_id, since, opened_at, ends_at)
            SELECT id, CAST($2 AS bigint), CAST($3 AS bigint), CAST($4 AS bigint) FROM users WHERE id = $1
            ON CONFLICT (user_id) DO UPDATE SET since = least(reviews.since, excluded.since),
                ends_at = CASE WHEN excluded.ends_at IS NOT NULL THEN reviews.ends_at END
            RETURNING 1
            """, user.bytes, since, now, until)
    }

    static func close(of user: UserID, in transaction: any Transaction) throws {
        try transaction.run("DELETE FROM reviews WHERE user_id = $1", user.bytes)
    }
}
