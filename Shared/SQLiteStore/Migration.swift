package import GRDB

/// A named step of a schema that older replicas tolerate: it adds tables, columns and indexes, or removes an index or a
/// condition that older code does not need.
package struct Migration: Sendable {
    /// The step's permanent name; each step runs once per file.
    package let name: String
    /// One or more SQL statements.
    package let sql: String
    /// Functions that the statements call.
    package let functions: [DatabaseFunction]

    package init(_ name: String, _ sql: String, functions: [DatabaseFunction] = []) {
        self.name = name
        self.sql = sql
        self.functions = functions
    }
}

extension Migration {
    private static let table = "CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY) WITHOUT ROWID"

    /// Runs those of `migrations` that the file lacks, all or none.
    ///
    /// In one immediate transaction: replicas that start together wait for each other and find the work done.
    static func run(_ migrations: [Migration], in database: Database) throws {
        try database.inTransaction(.immediate) {
            try database.execute(sql: table)
            let done = try Set(String.fetchAll(database, sql: "SELECT name FROM schema_migrations"))
            for migration in migrations where !done.contains(migration.name) {
                for function in migration.functions { database.add(function: function) }
                try database.execute(sql: migration.sql)
                try database.execute(
                    sql: "INSERT INTO schema_migrations (name) VALUES (?)", arguments: [migration.name])
            }
            return .commit
        }
    }
}
