import GRDB
import Storage

/// A mark inside a database file whose data was moved to another database, so that no service goes on with the old data.
///
/// It is a table, and not a file next to the database: backups of the file have the mark too.
enum MovedMark {
    private static let markTable = "moved_to"

    /// Returns where the data was moved to, or `nil` if the file is the one to use.
    static func target(in database: Database) throws -> String? {
        guard try database.tableExists(markTable) else { return nil }
        return try String.fetchOne(database, sql: "SELECT target FROM \(markTable)") ?? "another database"
    }

    /// - Throws: `StorageError` if the data was moved.
    static func check(_ database: Database) throws {
        guard let target = try target(in: database) else { return }
        throw StorageError(
            .other, "its data was moved to \(target) by latchkeyctl database copy, and this file is out of date")
    }

    /// Marks the file, in one transaction that is durable when this returns.
    static func set(_ target: String, in database: Database) throws {
        try database.inTransaction(.immediate) {
            try database.execute(sql: "CREATE TABLE \(markTable) (target TEXT NOT NULL)")
            try database.execute(sql: "INSERT INTO \(markTable) (target) VALUES (?)", arguments: [target])
            return .commit
        }
    }
}
