import GRDB
import Storage

/// A database file next to a service whose data is in another engine.
package enum UnusedFile {
    /// Says which data the file has; `nil` if it does not exist, has no rows in the table, or is marked as moved.
    ///
    /// The file is only read. One that cannot be read counts as data, because nothing shows that it has none.
    package static func finding(in path: String, table: String) -> String? {
        guard FileFacts.byteCount(path) > 0 else { return nil }
        do {
            guard try hasRows(path, table) else { return nil }
            return "\(path) has rows in \(table), and was not moved by latchkeyctl database copy"
        } catch {
            return "\(path) cannot be read: \(StorageError(error).message)"
        }
    }

    private static func hasRows(_ path: String, _ table: String) throws -> Bool {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let hasRows = try queue.read { database in
            guard try MovedMark.target(in: database) == nil, try database.tableExists(table) else { return false }
            return try Row.fetchOne(database, sql: "SELECT 1 FROM \(table.quotedDatabaseIdentifier) LIMIT 1") != nil
        }
        try queue.close()
        return hasRows
    }
}
