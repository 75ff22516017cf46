package import GRDB

/// The right of one process among its replicas to run a timer job for a while: a row that all of them see.
package struct Lease: Sendable {
    /// Adds the table; every service that runs timer jobs lists it among its migrations.
    package static let migration = Migration(
        "leases",
        "CREATE TABLE leases (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID")

    /// The job's name.
    package let name: String
    /// This process, told apart from its replicas.
    package let holder: String
    /// How long a holder that falls silent keeps the others waiting.
    package let lifetimeSeconds: Int64

    package init(name: String, holder: String, lifetimeSeconds: Int64) {
        self.name = name
        self.holder = holder
        self.lifetimeSeconds = lifetimeSeconds
    }

    /// Takes or prolongs the lease inside a write; the job's own changes belong into the same one.
    ///
    /// - Parameter now: Unix time in seconds.
    /// - Returns: whether this process holds it now.
    package func take(now: Int64, in database: Database) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
                WHERE leases.holder = excluded.holder OR leases.until <= ?
                """)
        try statement.execute(arguments: [name, holder, now.addingReportingOverflow(lifetimeSeconds).partialValue, now])
        return database.changesCount > 0
    }

    /// Gives the lease up, so that a replica need not wait for its end.
    package func release(in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM leases WHERE name = ? AND holder = ?")
            .execute(arguments: [name, holder])
    }
}
