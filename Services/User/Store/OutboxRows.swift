import Storage
import UserCore

/// Reads and writes rows of `outbox`.
enum OutboxRows {
    /// The kinds that this version knows, for SQL. Rows of other kinds are left to newer replicas.
    private static let knownKinds = OutboxMessage.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// The due time of a dead row.
    static let never = Int64.max

    /// The SQL condition for a dead row of a lane.
    static func isDead(_ lane: OutboxMessage.Lane) -> String {
        "(lane = '\(lane.rawValue)' AND next_attempt_at = \(never))"
    }

    /// Adds a row. Its turn is the number of waiting mails of the same network and rank, so that a network's second mail is sent
    /// after the first one of each other network.
    static func insert(
        _ message: OutboxMessage, about user: UserID, dueAt: Int64, now: Int64, in transaction: any Transaction
    ) throws {
        try transaction.run(
            """
            INSERT INTO outbox (lane, kind, user_id, payload, next_attempt_at, created_at, rank, network, turn)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN CAST($8 AS text) = '' THEN 0 ELSE (
                SELECT count(*) FROM outbox
                WHERE network = CAST($8 AS text) AND rank = $7 AND network <> '' AND next_attempt_at < \(never)) END)
            """, message.kind.lane.rawValue, message.kind.rawValue, user.bytes, message.payload, dueAt, now,
            message.place.rank, message.place.network)
    }

    /// Removes all rows about a user except messages to providers that are still retried. These are sealed, and none of them may be
    /// lost.
    static func deleteAll(about user: UserID, in transaction: any Transaction) throws {
        try transaction.run(
            "DELETE FROM outbox WHERE user_id = $1 AND (lane NOT IN ($2, $3) OR next_attempt_at = \(never))",
            user.bytes, OutboxMessage.Lane.mail.rawValue, OutboxMessage.Lane.apple.rawValue)
    }

    private static let columns = "id, kind, user_id, payload, attempts, created_at"

    /// Selects the rows of lane $1 about user $2, due or not, oldest first; at most $3.
    static let pending: SQL = """
        SELECT \(columns) FROM outbox WHERE lane = $1 AND user_id = $2 AND kind IN (\(knownKinds))
        ORDER BY id LIMIT $3
        """

    /// Whether a row is due at $2. A later time than $3 is from before a clock was set back.
    private static let isDue: SQL = """
        (next_attempt_at <= $2
            OR next_attempt_at > $3 AND next_attempt_at < \(never))
        """

    static let hasDue: SQL = """
        SELECT 1 FROM outbox WHERE lane = $1 AND \(isDue) AND kind IN (\(knownKinds)) LIMIT 1
        """

    /// Returns the latest time at which a row can be due that was postponed at `now`.
    static func latest(at now: Int64) -> Int64 {
        let (latest, overflows) = now.addingReportingOverflow(OutboxLimits.waitSecondsMax)
        return overflows ? .max : latest
    }

    /// Returns the statement for the rows of a lane that are due at $2; at most $4.
    static func due(_ lane: OutboxMessage.Lane) -> SQL {
        """
        SELECT \(columns) FROM outbox
        WHERE lane = $1 AND \(isDue) AND next_attempt_at < \(never) AND kind IN (\(knownKinds))
        ORDER BY \(lane.isProviders ? "rank, turn, id" : "next_attempt_at, id") LIMIT $4
        """
    }

    static func item(_ row: Row) throws -> OutboxItem {
        guard let kind = OutboxMessage.Kind(rawValue: row.text(1)) else {
            throw StorageError(.corrupt, "an outbox row has no known kind")
        }
        return OutboxItem(
            id: row.integer(0), user: try row.userID(2), message: OutboxMessage(kind: kind, payload: row.text(3)),
            attempts: row.integer(4), createdAt: row.integer(5))
    }
}
