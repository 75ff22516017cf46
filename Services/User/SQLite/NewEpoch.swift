import GRDB
import SQLiteStore
import UserCore

/// Puts every user's epoch above those that grants and tokens of before a restore carry, and removes again who was removed
/// after the backup was taken.
enum NewEpoch {
    /// Runs in the transaction that begins the epoch, before a replica serves anything.
    ///
    /// The raises after the backup was taken are lost with the rest; a user's count goes up by ones, the file's epoch is
    /// a time.
    static func begin(_ epoch: Int64, now: Int64, in database: Database) throws {
        try database.execute(sql: "UPDATE users SET epoch = max(epoch, ?)", arguments: [epoch])
        try RemovalRows(database: database).removeOrdered(now: now)
        try AuditRows(database: database).append(
            AuditEntry(
                event: .epochBegun, subject: .nobody, origin: RequestOrigin(), detail: "epoch \(epoch)"), now: now)
    }
}
