package import Storage

/// Leases as rows of a schema, which expire by the database's clock.
package struct PostgreSQLLeases: LeaseStore {
    /// The statement that makes the table, as a part of the schema of a service with timer jobs.
    package static let table =
        "CREATE TABLE leases (name text COLLATE \"C\" PRIMARY KEY, holder text NOT NULL, until bigint NOT NULL)"

    private let database: PostgreSQLDatabase

    package init(database: PostgreSQLDatabase) { self.database = database }

    /// - Parameter now: unused, since the clocks of several hosts differ.
    package func take(_ lease: Lease, now: Int64) async throws -> Bool {
        try await database.write { try lease.take(in: $0) }
    }

    package func release(_ lease: Lease) async throws {
        try await database.write { transaction in
            transaction.run("DELETE FROM leases WHERE name = $1 AND holder = $2", lease.name, lease.holder)
        }
    }
}

extension Lease {
    /// Takes or extends the lease inside a transaction, in which the job's own changes belong.
    ///
    /// - Returns: Whether this process has the lease now.
    package func take(in transaction: Transaction) throws -> Bool {
        let rows = try transaction.rows(
            """
            INSERT INTO leases (name, holder, until)
            VALUES ($1, $2, extract(epoch FROM clock_timestamp())::bigint + $3::bigint)
            ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
            WHERE leases.holder = excluded.holder
                OR leases.until - extract(epoch FROM clock_timestamp())::bigint NOT BETWEEN 1 AND $4::bigint
            RETURNING 1
            """, name, holder, lifetimeSeconds, longestSeconds)
        return !rows.isEmpty
    }
}
