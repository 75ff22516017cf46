import GRDB
import SQLiteStore
import Storage
import UserCore

/// Reads and writes rows of `outbox`, inside the caller's transaction.
struct OutboxRows {
    /// The kinds that this version knows, for SQL. Rows of other kinds are left to newer replicas.
    private static let knownKinds = OutboxMessage.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// The due time of a dead row, which is not delivered.
    static let never = Int64.max

    /// The SQL condition for a dead mail.
    static let isDeadMail = isDead(.mail)

    /// The SQL condition for a dead row of a lane.
    static func isDead(_ lane: OutboxMessage.Lane) -> String {
        "(lane = '\(lane.rawValue)' AND next_attempt_at = \(never))"
    }

    let database: Database

    /// Adds a row. Its turn is the number of waiting mails of the same network and rank, so that a network's second mail is sent
    /// after the first one of each other network.
    func insert(_ message: OutboxMessage, about user: UserID, dueAt: Int64, now: Int64) throws {
        let place = message.place
        try database.run(
            """
            INSERT INTO outbox (lane, kind, user_id, payload, next_attempt_at, created_at, rank, network, turn)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, iif(?8 = '', 0, (
                SELECT count(*) FROM outbox
                WHERE network = ?8 AND rank = ?7 AND network <> '' AND next_attempt_at < \(Self.never))))
            """,
            [
                message.kind.lane.rawValue, message.kind.rawValue, user, message.payload, dueAt, now, place.rank,
                place.network,
            ])
    }

    /// Removes all rows about a user except messages to providers that are still retried. These are sealed, and none of them may be
    /// lost.
    func deleteAll(about user: UserID) throws {
        try database.run(
            "DELETE FROM outbox WHERE user_id = ? AND (lane NOT IN (?, ?) OR next_attempt_at = \(Self.never))",
            [user, OutboxMessage.Lane.mail.rawValue, OutboxMessage.Lane.apple.rawValue])
    }

    /// Returns rows of a lane about a user, due or not, oldest first.
    func pending(_ lane: OutboxMessage.Lane, about user: UserID, limit: Int) throws -> [OutboxItem] {
        try database.rows(
            """
            SELECT id, kind, user_id, payload, attempts, created_at FROM outbox
            WHERE user_id = ? AND lane = ? AND kind IN (\(Self.knownKinds)) ORDER BY id LIMIT ?
            """, [user, lane.rawValue, limit]
        ).map(Self.item)
    }

    /// Whether a row is due at ?2.
    private static let isDue = """
        (next_attempt_at <= ?2
            OR next_attempt_at > ?2 + \(OutboxLimits.waitSecondsMax) AND next_attempt_at < \(never))
        """

    func hasDue(_ lane: OutboxMessage.Lane, now: Int64) throws -> Bool {
        try database.value(
            """
            SELECT EXISTS (
                SELECT 1 FROM outbox WHERE lane = ?1 AND \(Self.isDue) AND kind IN (\(Self.knownKinds)))
            """, [lane.rawValue, now]) ?? false
    }

    func due(_ lane: OutboxMessage.Lane, now: Int64, limit: Int) throws -> [OutboxItem] {
        let order = lane.isProviders ? "rank, turn, id" : "next_attempt_at, id"
        return try database.rows(
            """
            SELECT id, kind, user_id, payload, attempts, created_at FROM outbox
            WHERE lane = ?1 AND \(Self.isDue) AND next_attempt_at < \(Self.never) AND kind IN (\(Self.knownKinds))
            ORDER BY \(order) LIMIT ?3
            """, [lane.rawValue, now, limit]
        ).map(Self.item)
    }

    private static func item(_ row: Row) throws -> OutboxItem {
        guard let kind = OutboxMessage.Kind(rawValue: try row.decode(forColumn: "kind")) else {
            throw StorageError(.corrupt, "an outbox row has no known kind")
        }
        return OutboxItem(
            id: try row.decode(forColumn: "id"), user: try row.decode(forColumn: "user_id"),
            message: OutboxMessage(kind: kind, payload: try row.decode(forColumn: "payload")),
            attempts: try row.decode(forColumn: "attempts"), createdAt: try row.decode(forColumn: "created_at"))
    }
}
