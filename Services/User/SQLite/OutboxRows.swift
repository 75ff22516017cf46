import Foundation
import GRDB
import SQLiteStore
import Storage
import UserCore

/// Reads and writes rows of `outbox`, inside the caller's transaction.
struct OutboxRows {
    /// The kinds that this version knows, for SQL: rows of a newer replica are left to it.
    private static let knownKinds = OutboxMessage.Kind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")

    /// When a row that is dead is due: never. Older versions leave it alone too.
    static let never = Int64.max

    /// Whether a row is a mail that is dead, for SQL.
    static let isDeadMail = "(lane = '\(OutboxMessage.Lane.mail.rawValue)' AND next_attempt_at = \(never))"

    let database: Database

    /// A network's turn is the number of its mails of that rank that wait: its second one goes out after the first of each
    /// other network.
    func insert(_ message: OutboxMessage, about user: UserID, dueAt: Int64, now: Int64) throws {
        let place = message.place
        try database.cachedStatement(
            sql: """
                INSERT INTO outbox (lane, kind, user_id, payload, next_attempt_at, created_at, rank, network, turn)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, iif(?8 = '', 0, (
                    SELECT count(*) FROM outbox
                    WHERE network = ?8 AND rank = ?7 AND network <> '' AND next_attempt_at < \(Self.never))))
                """
        ).execute(
            arguments: [
                message.kind.lane.rawValue, message.kind.rawValue, Data(user.bytes), message.payload, dueAt, now,
                place.rank, place.network,
            ])
    }

    /// Removes all rows about a user but mails to him that are still tried, which are sealed and of which none may be lost.
    func deleteAll(about user: UserID) throws {
        try database.cachedStatement(
            sql: "DELETE FROM outbox WHERE user_id = ? AND (lane <> ? OR \(Self.isDeadMail))"
        ).execute(arguments: [Data(user.bytes), OutboxMessage.Lane.mail.rawValue])
    }

    /// Rows of a lane about a user, due or not, oldest first.
    func pending(_ lane: OutboxMessage.Lane, about user: UserID, limit: Int) throws -> [OutboxItem] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id, kind, user_id, payload, attempts, created_at FROM outbox
                    WHERE user_id = ? AND lane = ? AND kind IN (\(Self.knownKinds)) ORDER BY id LIMIT ?
                    """),
            arguments: [Data(user.bytes), lane.rawValue, limit]
        ).map(Self.item)
    }

    func hasDue(_ lane: OutboxMessage.Lane, now: Int64) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM outbox WHERE lane = ? AND next_attempt_at <= ? AND kind IN (\(Self.knownKinds)))
                    """),
            arguments: [lane.rawValue, now]) ?? false
    }

    func due(_ lane: OutboxMessage.Lane, now: Int64, limit: Int) throws -> [OutboxItem] {
        let order = lane == .mail ? "rank, turn, id" : "next_attempt_at, id"
        return try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id, kind, user_id, payload, attempts, created_at FROM outbox
                    WHERE lane = ? AND next_attempt_at <= ? AND next_attempt_at < \(Self.never)
                        AND kind IN (\(Self.knownKinds))
                    ORDER BY \(order) LIMIT ?
                    """),
            arguments: [lane.rawValue, now, limit]
        ).map(Self.item)
    }

    private static func item(_ row: Row) throws -> OutboxItem {
        let kindText = try row.decode(String.self, forColumn: "kind")
        let userBytes = try row.decode(Data.self, forColumn: "user_id")
        guard let kind = OutboxMessage.Kind(rawValue: kindText), let user = UserID(bytes: Array(userBytes)) else {
            throw StorageError(.corrupt, "an outbox row has no known kind, or nobody whom it is about")
        }
        return OutboxItem(
            id: try row.decode(Int64.self, forColumn: "id"), user: user,
            message: OutboxMessage(kind: kind, payload: try row.decode(String.self, forColumn: "payload")),
            attempts: try row.decode(Int64.self, forColumn: "attempts"),
            createdAt: try row.decode(Int64.self, forColumn: "created_at"))
    }
}
