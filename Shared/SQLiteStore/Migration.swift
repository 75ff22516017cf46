package import GRDB

/// A named step of a schema that no older replica trips over: it adds tables, columns and indexes, or takes away an index
/// or a condition that older code can do without.
package struct Migration: Sendable {
    /// Its name for all time; it is run once per file.
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

    /// Runs what of `migrations` the file lacks, all or nothing.
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
