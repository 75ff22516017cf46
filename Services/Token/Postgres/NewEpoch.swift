package import InternalAPI
package import PostgreSQL
import TokenCore

extension TokenPostgres {
    /// The numbers of sessions and signing keys that a new epoch ended.
    package struct EndedByEpoch: Sendable, Equatable {
        package let sessions: Int64
        package let keys: Int
    }

    /// Returns the epoch of a schema; 0 before the first restore.
    package static func epoch(_ reading: Reading) throws -> Int64 {
        try reading.rows("SELECT epoch FROM restore_floor").first?.integer(0) ?? 0
    }

    /// Ends everything that a restore brought back, since sessions that were signed out later would be live again. The transaction
    /// is of the role that owns the tables.
    ///
    /// Access tokens become invalid with their keys: the `kid`s are published to Redis like those of an emergency. Earlier grants
    /// are below the epoch. Names of keys are kept, so that none is used twice.
    /// - Parameters:
    ///   - floor: The epoch, a Unix time in seconds above every earlier epoch.
    ///   - name: The operator who restored the database.
    package static func beginEpoch(
        _ floor: Int64, by name: OperatorName? = nil, now: Int64, in transaction: Transaction
    ) throws -> EndedByEpoch {
        let sessions = try transaction.rows("SELECT count(*) FROM sessions WHERE NOT is_revoked").first?.integer(0) ?? 0
        transaction.run("UPDATE restore_floor SET epoch = greatest(epoch, $1)", floor)
        transaction.noteServer(from: floor)
        transaction.run("TRUNCATE sessions")
        transaction.run("DELETE FROM user_epochs WHERE epoch <= $1", floor)
        try LocatorSupply.begin(after: SessionRecord.locator(beforeEpoch: floor), in: transaction)
        let keys = try PostgresSigningKeys.endAll(by: name, now: now, in: transaction)
        try AuditRecord(
            event: .epochBegun, detail: "epoch \(floor), \(sessions) sessions ended", operatorName: name
        ).insert(at: now, nil, into: transaction)
        return EndedByEpoch(sessions: sessions, keys: keys)
    }
}

extension LocatorSupply {
    /// Makes all later row numbers greater than `last`. In contrast to `setval` this is undone with the transaction.
    fileprivate static func begin(after last: Int64, in transaction: Transaction) throws {
        let next = try transaction.rows("SELECT last_value + is_called::int FROM session_blocks").first?.integer(0)
        let block = max(next ?? 1, last / blockCount + 1)
        transaction.run("ALTER SEQUENCE session_blocks RESTART WITH \(block)")
    }
}
