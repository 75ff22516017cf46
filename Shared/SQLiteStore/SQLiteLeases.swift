package import GRDB
package import Storage

/// Leases as rows of a database file.
package struct SQLiteLeases: LeaseStore {
    /// The statement that makes the table, as a part of the schema of a service with timer jobs.
    package static let table =
        "CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID"

    private let database: SQLiteDatabase

    package init(database: SQLiteDatabase) { self.database = database }

    package func take(_ lease: Lease, now: Int64) async throws -> Bool {
        try await database.write { try lease.take(now: now, in: $0) }
    }

    package func release(_ lease: Lease) async throws {
        try await database.write { database in
            try database.cachedStatement(sql: "DELETE FROM leases WHERE name = ? AND holder = ?")
                .execute(arguments: [lease.name, lease.holder])
        }
    }
}

extension Lease {
    /// Takes or extends the lease inside a write; the job's own changes belong in the same write.
    ///
    /// - Parameter now: Unix time in seconds.
    /// - Returns: Whether this process has the lease now.
    package func take(now: Int64, in database: Database) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
                WHERE leases.holder = excluded.holder OR leases.until NOT BETWEEN ? + 1 AND ?
                """)
        try statement.execute(
            arguments: [
                name, holder, now.addingReportingOverflow(lifetimeSeconds).partialValue, now,
                now.addingReportingOverflow(longestSeconds).partialValue,
            ])
        return database.changesCount > 0
    }
}
