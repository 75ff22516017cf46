internal import GRDB
internal import SQLiteStore

/// The outbox in `users.sqlite`.
struct SQLiteOutboxStore: OutboxStore {
    private static let leaseName = "outbox"

    let database: SQLiteDatabase

    func hasDue(now: Int64) async throws -> Bool {
        try await database.read { try OutboxRows(database: $0).hasDue(now: now) }
    }

    func takeDue(limit: Int, holder: String, now: Int64) async throws -> [OutboxItem] {
        let lease = Lease(name: Self.leaseName, holder: holder, lifetimeSeconds: OutboxLimits.leaseSeconds)
        return try await database.write { database in
            guard try lease.take(now: now, in: database) else { return [] }
            return try OutboxRows(database: database).due(now: now, limit: limit)
        }
    }

    func confirm(_ item: OutboxItem.ID) async throws {
        try await database.write { database in
            try database.cachedStatement(sql: "DELETE FROM outbox WHERE id = ?").execute(arguments: [item])
        }
    }

    func postpone(_ item: OutboxItem.ID, until: Int64) async throws {
        try await database.write { database in
            try database.cachedStatement(
                sql: "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ? WHERE id = ?"
            ).execute(arguments: [until, item])
        }
    }

    func pendingCount() async throws -> Int64 {
        try await database.read { try Int64.fetchOne($0, sql: "SELECT count(*) FROM outbox") ?? 0 }
    }
}
