/// Leases as rows of a database.
package struct Leases: LeaseStore {
    private let database: any StorageDatabase

    package init(database: any StorageDatabase) { self.database = database }

    package func take(_ lease: Lease, now: Int64) async throws -> Bool {
        try await database.write { try lease.take(now: now, in: $0) }
    }

    package func release(_ lease: Lease) async throws {
        try await database.write { transaction in
            try transaction.run("DELETE FROM leases WHERE name = $1 AND holder = $2", lease.name, lease.holder)
        }
    }
}

extension Lease {
    /// The time at which leases expire. On a server it is the server's own, since the clocks of several hosts differ.
    private static let clock = SQL(sqlite: "$5", postgreSQL: "extract(epoch FROM clock_timestamp())::bigint")

    private static let taking: SQL = """
        INSERT INTO leases (name, holder, until) VALUES ($1, $2, \(clock) + CAST($3 AS bigint))
        ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
        WHERE leases.holder = excluded.holder
            OR leases.until - \(clock) NOT BETWEEN 1 AND CAST($4 AS bigint)
        RETURNING 1
        """

    /// Takes or extends the lease inside a transaction, in which the job's own changes belong.
    ///
    /// - Parameter now: Unix time in seconds.
    /// - Returns: Whether this process has the lease now.
    package func take(now: Int64, in transaction: any Transaction) throws -> Bool {
        let own: [any SQLConvertible] = [name, holder, lifetimeSeconds, longestSeconds]
        return !(try transaction.rows(Self.taking, transaction.kind == .sqlite ? own + [now] : own)).isEmpty
    }
}
