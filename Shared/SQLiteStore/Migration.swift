import GRDB
import Release
import Storage

extension Migration {
    private static let stepsTable = """
        CREATE TABLE IF NOT EXISTS schema_migrations
            (name TEXT PRIMARY KEY, release TEXT NOT NULL, needs_release TEXT NOT NULL) WITHOUT ROWID
        """
    private static let stepNames = "SELECT name FROM schema_migrations"
    private static let looksSeconds = 1.0

    /// Runs those of `migrations` that the file lacks, all or none.
    ///
    /// In one immediate transaction: replicas that start together wait for each other and find the work done.
    /// - Throws: `StorageError` for a file that this release cannot use.
    static func run(_ migrations: [Migration], in database: Database) throws {
        try database.inTransaction(.immediate) {
            try refuse(state(of: database).problem(for: migrations))
            try database.execute(sql: stepsTable)
            let done = try Set(String.fetchAll(database, sql: stepNames))
            for migration in migrations where !done.contains(migration.name) {
                try database.execute(sql: migration.sql)
                try database.execute(
                    sql:
                        "INSERT INTO schema_migrations (\(SchemaState.columns.joined(separator: ", "))) VALUES (?, ?, ?)",
                    arguments: [migration.name, Release.version, migration.needsRelease ?? ""])
            }
            return .commit
        }
    }

    /// Refuses a file that this release can neither use nor migrate.
    ///
    /// It only reads, and runs before a connection that could write is opened: even the end of such a connection may copy the log
    /// into the file. A file that cannot be read is left to the opening, which says why.
    static func requireUsable(for migrations: [Migration], inFile path: String) throws(StorageError) {
        guard FileFacts.byteCount(path) > 0 else { return }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(looksSeconds)
        var problem: SchemaProblem?
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            problem = try queue.read { try state(of: $0).problem(for: migrations) }
        } catch {
            // The opening finds the same, and says it.
        }
        try refuse(problem)
    }

    /// Lets a file pass that has no problem or lacks a step, which the opening makes.
    private static func refuse(_ problem: SchemaProblem?) throws(StorageError) {
        switch problem {
        case nil, .incomplete: return
        case .workingState: throw StorageError(.other, "it \(FirstStep.refusal). Move it away, and begin without it")
        case let problem?: throw StorageError(.schema, "it \(problem)")
        }
    }

    private static func state(of database: Database) throws -> SchemaState {
        let reader = SQLiteReader(database)
        let columns = try reader.rows("SELECT name FROM pragma_table_info('schema_migrations')").map { $0.text(0) }
        guard Set(columns).isSuperset(of: SchemaState.columns) else {
            let tables = try reader.rows(
                "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
            return SchemaState(steps: [:], hasTables: tables.first?.integer(0) != 0)
        }
        return SchemaState(try reader.rows(SchemaState.list))
    }
}
