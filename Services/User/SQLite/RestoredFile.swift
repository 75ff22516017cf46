import GRDB
import SQLiteStore
import UserCore

/// Prepares a restored file: raises every user's epoch above those in grants and tokens from before the restore, removes users
/// again who were removed after the backup, and applies the security decisions that were made since.
enum RestoredFile {
    /// Changes the file in the transaction that detects a restore, before a replica serves requests.
    ///
    /// The file lacks the raises of epochs after the backup. The floor exceeds them, since it is a time in seconds and each raise
    /// adds 1.
    static func begin(_ floor: Int64, now: Int64, in database: Database) throws {
        try database.execute(sql: "UPDATE users SET epoch = max(epoch, ?)", arguments: [floor])
        // Some links were used or replaced after the backup.
        try AccountRows(database: database).endAllLinks()
        try RemovalRows(database: database).removeOrdered(now: now)
        try DecisionRows(database: database).applyOrdered(floor: floor, now: now)
        try AuditRows(database: database).append(
            AuditEntry(
                event: .epochBegun, subject: .zero, origin: RequestOrigin(), detail: "epoch \(floor)"), now: now)
    }
}
