package import InternalAPI
package import Storage
import TokenCore
import UserEvents

extension TokenDatabase {
    /// The numbers of sessions and signing keys that a new epoch ended.
    package struct EndedByEpoch: Sendable, Equatable {
        package let sessions: Int64
        package let keys: Int
    }

    /// Without a condition SQLite frees the table's pages unread. The owner of PostgreSQL's table has a statement for that.
    private static let noSessions = SQL(sqlite: "DELETE FROM sessions", postgreSQL: "TRUNCATE sessions")

    /// Ends everything that a restore brought back, since sessions that were signed out later would be live again. A server's
    /// transaction is of the role that owns the tables.
    ///
    /// Access tokens become invalid with their keys: the `kid`s are published to Redis like those of an emergency. Earlier grants
    /// are below the epoch. Names of keys are kept, so that none is used twice.
    /// - Parameters:
    ///   - floor: The epoch, a Unix time in seconds above every earlier epoch.
    ///   - name: The operator who restored the database.
    ///   - writesEvents: Whether the app's back end is told. The operator's command does not know whether there is a hook, so it adds the
    ///     event, which expires.
    @discardableResult
    package static func beginEpoch(
        _ floor: Int64, by name: OperatorName? = nil, writesEvents: Bool = true, now: Int64,
        in transaction: any Transaction
    ) throws -> EndedByEpoch {
        let live = try transaction.rows("SELECT count(*) FROM sessions WHERE is_revoked = false")
        let sessions = live.first?.integer(0) ?? 0
        try RestoreEpoch.raise(to: floor, in: transaction)
        try transaction.run(noSessions)
        try transaction.run("DELETE FROM user_epochs WHERE epoch <= $1", floor)
        try LocatorSupply.begin(after: SessionRecord.locator(beforeEpoch: floor), in: transaction)
        let keys = try SigningKeyRows.endAll(by: name, now: now, in: transaction)
        if writesEvents {
            try EventRows.insert([UserEvent(.allRevoked, of: UserEvent.everybody)], now: now, in: transaction)
        }
        try AuditRecord(
            event: .epochBegun, detail: "epoch \(floor), \(sessions) sessions ended", operatorName: name
        ).insert(at: now, nil, into: transaction)
        return EndedByEpoch(sessions: sessions, keys: keys)
    }
}
