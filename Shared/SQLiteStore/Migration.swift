import GRDB
import Storage

extension Migration {
    private static let stepsTable = "CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY) WITHOUT ROWID"
    private static let stepNames = "SELECT name FROM schema_migrations"
    private static let looksSeconds = 1.0

    /// Runs those of `migrations` that the file lacks, all or none.
    ///
    /// In one immediate transaction: replicas that start together wait for each other and find the work done.
    /// - Throws: `other` for a file that was not begun by the first of them.
    static func run(_ migrations: [Migration], in database: Database) throws {
        try database.inTransaction(.immediate) {
            try requireFirst(of: migrations, in: database)
            try database.execute(sql: stepsTable)
            let done = try Set(String.fetchAll(database, sql: stepNames))
            for migration in migrations where !done.contains(migration.name) {
                try database.execute(sql: migration.sql)
                try database.execute(
                    sql: "INSERT INTO schema_migrations (name) VALUES (?)", arguments: [migration.name])
            }
            return .commit
        }
    }

    /// Refuses a file that has tables, but not the first of these steps.
    ///
    /// It only reads, and runs before a connection that could write is opened: even the end of such a connection may copy the log
    /// into the file. A file that cannot be read is left to the opening, which says why.
    static func requireFirst(of migrations: [Migration], inFile path: String) throws(StorageError) {
        guard FileFacts.byteCount(path) > 0 else { return }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(looksSeconds)
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { try requireFirst(of: migrations, in: $0) }
        } catch let refusal as StorageError {
            throw refusal
        } catch {
            // The opening finds the same, and says it.
        }
    }

    private static func requireFirst(of migrations: [Migration], in database: Database) throws {
        let tables = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        guard let first = migrations.first, try Int.fetchOne(database, sql: tables) != 0 else { return }
        let list = "SELECT count(*) FROM pragma_table_info('schema_migrations') WHERE name = 'name'"
        guard try Int.fetchOne(database, sql: list) == 1,
            try String.fetchAll(database, sql: stepNames).contains(first.name)
        else {
            throw StorageError(.other, "it \(FirstStep.refusal). Move it away, and begin without it")
        }
    }
}
