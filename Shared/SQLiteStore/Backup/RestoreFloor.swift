package import GRDB

/// The number below which a database file's counters have no meaning since it was restored; 0 for one that never was.
///
/// A backup brings back old counters: a user's epoch that had been raised, to end all his sessions, is low again, and what
/// was refused would be good. So the restore writes its Unix time here, and services take it as the floor of every user's
/// epoch. A time is above whatever counted up by ones in any earlier life of the file, also in those that a restore has
/// undone: nobody raises an epoch once a second for years.
package enum RestoreFloor {
    /// Adds the row; every service that is backed up lists it among its migrations. The table's name is from before.
    package static let migration = Migration(
        "epoch",
        """
        CREATE TABLE epoch (id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL, is_new INTEGER NOT NULL);
        INSERT INTO epoch VALUES (1, 0, 0)
        """)

    /// The present floor.
    package static func number(in database: Database) throws -> Int64 {
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT number FROM epoch WHERE id = 1")) ?? 0
    }

    /// Notes that the file was restored; the service acts on it when it opens the file.
    static func raise(to number: Int64, in database: Database) throws {
        try database.execute(sql: "UPDATE epoch SET number = max(number + 1, ?), is_new = 1", arguments: [number])
    }

    /// Runs `act` if the file was restored since the last start, in one transaction; replicas wait for each other.
    static func afterRestore(in database: Database, _ act: (_ floor: Int64, Database) throws -> Void) throws {
        try database.inTransaction(.immediate) {
            let isNew = try Bool.fetchOne(database, sql: "SELECT is_new FROM epoch WHERE id = 1") ?? false
            guard isNew else { return .commit }
            try act(try number(in: database), database)
            try database.execute(sql: "UPDATE epoch SET is_new = 0")
            return .commit
        }
    }
}
