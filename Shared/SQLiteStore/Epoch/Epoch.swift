package import GRDB

/// The number of a database file's present life: 0 at first, and a new one with each restore.
///
/// It is the Unix time of the restore, and so above whatever counted up by ones in any earlier life of the file, also in
/// those that a restore has undone. Services take it as the floor of their own counters.
package enum Epoch {
    /// Adds the row; every service that is backed up lists it among its migrations.
    package static let migration = Migration(
        "epoch",
        """
        CREATE TABLE epoch (id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL, is_new INTEGER NOT NULL);
        INSERT INTO epoch VALUES (1, 0, 0)
        """)

    /// The present epoch, for use within a statement.
    package static let subquery = "(SELECT number FROM epoch WHERE id = 1)"

    /// The present epoch.
    package static func number(in database: Database) throws -> Int64 {
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT number FROM epoch WHERE id = 1")) ?? 0
    }

    /// Notes that the file was restored; the service begins the new epoch when it opens the file.
    static func order(_ number: Int64, in database: Database) throws {
        try database.execute(sql: "UPDATE epoch SET number = max(number + 1, ?), is_new = 1", arguments: [number])
    }

    /// Runs `begin` if the file was restored since the last start, in one transaction; replicas wait for each other.
    static func beginIfNew(in database: Database, _ begin: (_ epoch: Int64, Database) throws -> Void) throws {
        try database.inTransaction(.immediate) {
            let isNew = try Bool.fetchOne(database, sql: "SELECT is_new FROM epoch WHERE id = 1") ?? false
            guard isNew else { return .commit }
            try begin(try number(in: database), database)
            try database.execute(sql: "UPDATE epoch SET is_new = 0")
            return .commit
        }
    }
}
