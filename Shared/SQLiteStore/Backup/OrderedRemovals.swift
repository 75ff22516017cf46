import Foundation
package import GRDB

/// Users that have to be removed from a restored file, since they were removed after its backup was taken.
///
/// A restore writes their ids into the file; the service removes the users when it acts on the restore, before it serves
/// anything.
package enum OrderedRemovals {
    /// The statement that makes the table, as a part of the schema of the service with the users.
    package static let table = "CREATE TABLE ordered_removals (id BLOB PRIMARY KEY) WITHOUT ROWID"

    /// Returns the ids of users that have not been removed yet.
    package static func ids(in database: Database) throws -> [[UInt8]] {
        try Data.fetchAll(database, sql: "SELECT id FROM ordered_removals ORDER BY id").map(Array.init)
    }

    /// Notes that all the users have been removed.
    package static func clear(in database: Database) throws {
        try database.execute(sql: "DELETE FROM ordered_removals")
    }

    static func order(_ ids: [[UInt8]], in database: Database) throws {
        let statement = try database.cachedStatement(sql: "INSERT OR IGNORE INTO ordered_removals (id) VALUES (?)")
        for id in ids { try statement.execute(arguments: [Data(id)]) }
    }
}
