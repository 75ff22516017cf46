import GRDB
import Storage

/// The number below which a database file's counters have no meaning since it was restored; 0 for a file that was never
/// restored.
///
/// A backup brings back old counters: a user's epoch that was raised to revoke all their sessions is low again, and tokens
/// that were refused would be accepted. So the restore writes its Unix time here, and services use it as the floor of every
/// user's epoch. The time is above every counter that was raised by ones in an earlier life of the file, even one that a
/// restore has undone: no epoch is raised once a second for years.
enum RestoreFloor {
    /// Returns the current floor.
    static func number(in database: Database) throws -> Int64 {
        try RestoreEpoch.read(in: SQLiteReader(database))
    }

    /// Notes that the file was restored; the service acts on that when it opens the file.
    static func raise(to number: Int64, in database: Database) throws {
        try database.execute(sql: "UPDATE restore_floor SET epoch = max(epoch + 1, ?), is_new = 1", arguments: [number])
    }

    /// Runs `act` if the file was restored since the last start, in one transaction; replicas wait for each other.
    static func afterRestore(in database: Database, _ act: (_ floor: Int64, any Transaction) throws -> Void) throws {
        try database.inTransaction(.immediate) {
            let isNew = try Bool.fetchOne(database, sql: "SELECT is_new FROM restore_floor WHERE id = 1") ?? false
            guard isNew else { return .commit }
            let floor = try number(in: database)
            try SQLiteTransaction.run(in: database) { try act(floor, $0) }
            try database.execute(sql: "UPDATE restore_floor SET is_new = 0")
            return .commit
        }
    }
}
