package import Storage

/// A named step of a schema that older replicas tolerate: it adds tables, columns and indexes.
package struct Migration: Sendable {
    /// The step's permanent name; each step runs once in a schema.
    package let name: String
    /// One or more statements.
    package let sql: String

    package init(_ name: String, _ sql: String) {
        self.name = name
        self.sql = sql
    }

    /// Refuses a schema that lacks one of the steps; services change no schema.
    static func require(_ migrations: [Migration], in session: Session) throws {
        let missing: String
        do {
            let done = Set(try session.rows("SELECT name FROM schema_migrations").map { $0.text(0) })
            guard let name = migrations.map(\.name).first(where: { !done.contains($0) }) else { return }
            missing = "the step \"\(name)\""
        } catch let error as PostgreSQLError where error.kind == .refused("42P01") {
            missing = "all tables"
        }
        throw StorageError(.other, "the schema \(session.schema) lacks \(missing)")
    }
}

extension Migration {
    private static let lockSeconds = 2
    private static let stepMax: Duration = .seconds(60)

    /// Makes the schema if it does not exist, and runs those steps that it lacks, all or none; blocks its thread.
    ///
    /// Two that run at once wait for each other. A lock on a table that is in use is waited for at most 2 s.
    package static func run(
        _ migrations: [Migration], _ configuration: PostgreSQLConfiguration
    ) throws(StorageError) {
        do {
            let parameters = configuration.url.parameters(
                applicationName: "latchkeyctl", password: try configuration.password(),
                isProduction: configuration.isProduction)
            let connection = try PQConnection(parameters, try PQLibrary.load())
            try connection.runScript(script(migrations, configuration.schema), until: .now + stepMax)
        } catch let error as PostgreSQLError {
            throw StorageError(error)
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(.other, "\(error)")
        }
    }

    /// Returns one text, which the server runs as one transaction. Each step is run by a block that first looks whether it is done.
    private static func script(_ migrations: [Migration], _ schema: String) -> String {
        let lock = AdvisoryLock(.whole, "migrations").order(in: schema).number
        let steps = migrations.map { migration in
            """
            DO $step$ BEGIN
                IF NOT EXISTS (SELECT 1 FROM schema_migrations WHERE name = '\(migration.name)') THEN
                    \(migration.sql);
                    INSERT INTO schema_migrations (name) VALUES ('\(migration.name)');
                END IF;
            END $step$
            """
        }
        let first = """
            SET client_min_messages = warning;
            BEGIN ISOLATION LEVEL READ COMMITTED;
            SET LOCAL lock_timeout = '\(lockSeconds)s';
            SELECT pg_advisory_xact_lock(\(lock));
            CREATE SCHEMA IF NOT EXISTS "\(schema)";
            SET LOCAL search_path = "\(schema)";
            CREATE TABLE IF NOT EXISTS schema_migrations (name text COLLATE "C" PRIMARY KEY)
            """
        return ([first] + steps + ["COMMIT"]).joined(separator: ";\n")
    }
}
