import GRDB
import SQLiteStore
import Storage
import UserCore

/// The outbox in `users.sqlite`.
struct SQLiteOutboxStore: OutboxStore {
    let database: SQLiteDatabase

    func hasDue(_ lane: OutboxMessage.Lane, now: Int64) async throws -> Bool {
        try await database.read { try OutboxRows(database: $0).hasDue(lane, now: now) }
    }

    func takeDue(_ lane: OutboxMessage.Lane, limit: Int, lease: Lease, now: Int64) async throws -> [OutboxItem] {
        try await database.write { database in
            guard try lease.take(now: now, in: database) else { return [] }
            return try OutboxRows(database: database).due(lane, now: now, limit: limit)
        }
    }

    func pending(_ lane: OutboxMessage.Lane, about user: UserID, limit: Int) async throws -> [OutboxItem] {
        try await database.read { try OutboxRows(database: $0).pending(lane, about: user, limit: limit) }
    }

    func confirm(_ item: OutboxItem) async throws {
        try await database.write { database in
            try database.cachedStatement(sql: "DELETE FROM outbox WHERE id = ?").execute(arguments: [item.id])
        }
        // The row named somebody who is removed.
        if item.message.kind.isAboutRemoved { database.emptyLogSoon() }
    }

    func postpone(_ item: OutboxItem.ID, until: Int64) async throws {
        try await database.write { database in
            try database.cachedStatement(
                sql: "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ? WHERE id = ?"
            ).execute(arguments: [until, item])
        }
    }

    func pendingCount(_ lane: OutboxMessage.Lane) async throws -> Int64 {
        try await database.read { database in
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT count(*) FROM outbox WHERE lane = ?"), arguments: [lane.rawValue])
                ?? 0
        }
    }
}
