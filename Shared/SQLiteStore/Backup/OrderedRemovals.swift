import Foundation
import GRDB
package import Storage

/// Users that have to be removed from a restored file, since they were removed after its backup was taken.
///
/// A restore writes their ids into the file; the service removes the users when it acts on the restore, before it serves
/// anything.
package enum OrderedRemovals {
    /// Returns the ids of users that have not been removed yet.
    package static func ids(in reader: any StatementReader) throws -> [[UInt8]] {
        try reader.rows("SELECT id FROM ordered_removals ORDER BY id").map { $0.bytes(0) }
    }

    /// Notes that all the users have been removed.
    package static func clear(in transaction: any Transaction) throws {
        try transaction.run("DELETE FROM ordered_removals")
    }

    static func order(_ ids: [[UInt8]], in database: Database) throws {
        let statement = try database.cachedStatement(sql: "INSERT OR IGNORE INTO ordered_removals (id) VALUES (?)")
        for id in ids { try statement.execute(arguments: [Data(id)]) }
    }
}
