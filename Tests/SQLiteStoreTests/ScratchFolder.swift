import Foundation
import GRDB
import Logging
import SQLiteStore
import Storage

/// A folder of one test, removed with its files when the test lets go of it.
final class ScratchFolder: Sendable {
    let path: String
    var databasePath: String { path + "/test.sqlite" }

    init() throws {
        path = NSTemporaryDirectory() + "latchkey-sqlite-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("scratch folder stays: \(path)") }
    }

    /// Opens the folder's database with one table, `items`.
    func open(
        _ more: [Migration] = [], checkpointRows: Int = SQLiteLimits.checkpointRows
    ) throws -> SQLiteDatabase {
        try SQLiteDatabase.open(
            path: databasePath, migrations: [Self.items] + more, logger: Logger(label: "test"),
            checkpointRows: checkpointRows)
    }

    /// A connection of somebody else, who may hold transactions open.
    func outsider() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        // The last one to close the file locks it for a moment.
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: databasePath, configuration: configuration)
    }

    /// Writes an item and tells how many of its name a short read then finds.
    static func write(_ name: String, to database: SQLiteDatabase) async throws -> Int64? {
        try await database.add(name)
        return try await database.readBeforeWrite {
            try $0.rows("SELECT count(*) FROM items WHERE name = $1", name).first?.integer(0)
        }
    }

    static let items = Migration("items", "CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")
}

extension SQLiteDatabase {
    func add(_ name: String) async throws {
        try await write { try $0.run("INSERT INTO items (name) VALUES ($1)", name) }
    }

    /// The names of all items.
    func names() async throws -> Set<String> {
        try await read { Set(try $0.rows("SELECT name FROM items").map { $0.text(0) }) }
    }
}
