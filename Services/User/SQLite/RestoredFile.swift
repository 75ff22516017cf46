import GRDB
import SQLiteStore
import UserCore

/// Puts every user's epoch above those that grants and tokens of before a restore carry, removes the users again who were
/// removed after the backup was taken, and applies the security decisions that were made since.
enum RestoredFile {
    /// Runs in the transaction that acts on a restore, before a replica serves anything.
    ///
    /// The raises after the backup was taken are lost with the rest; a user's epoch goes up by ones, the floor is
    /// a time.
    static func begin(_ floor: Int64, now: Int64, in database: Database) throws {
        try database.execute(sql: "UPDATE users SET epoch = max(epoch, ?)", arguments: [floor])
        // Some of them were used, or replaced, after the backup was taken.
        try AccountRows(database: database).endAllLinks()
        try RemovalRows(database: database).removeOrdered(now: now)
        try DecisionRows(database: database).applyOrdered(floor: floor, now: now)
        try AuditRows(database: database).append(
            AuditEntry(
                event: .epochBegun, subject: .nobody, origin: RequestOrigin(), detail: "epoch \(floor)"), now: now)
    }
}
