import Release
package import Storage

/// The role of a service in the database, which may read and write the tables and change nothing else.
package struct ServiceRole: Sendable {
    package let name: String
    /// Tables whose rows the service adds and removes, but never changes.
    package let unchangedTables: [String]
    /// The password with which the role is made if it does not exist.
    package let password: String?

    package init(name: String, unchangedTables: [String], password: String?) {
        self.name = name
        self.unchangedTables = unchangedTables
        self.password = password
    }
}

extension Migration {
    /// The code with which the script itself refuses a schema that does not begin with the first step.
    private static let otherState = "LK001"
    private static let stepMax: Duration = .seconds(60)

    /// Makes the schema if it does not exist, and runs those steps that it lacks, all or none; blocks its thread.
    ///
    /// A role without the right to change the schema may run it too, if no step is missing. Two that run at once wait for each other. A lock on a table that is in use is waited for at most 2 s.
    /// - Parameters:
    ///   - configuration: The connection of a role that may make the schema, which then belongs to it.
    ///   - service: The role that gets the rights of a service; `nil` if the service uses the same role.
    package static func run(
        _ migrations: [Migration], _ configuration: PostgreSQLConfiguration, service: ServiceRole? = nil
    ) throws(StorageError) {
        do {
            let connection = try configuration.connect(applicationName: "latchkeyctl")
            try ServerFacts.requireEncoding(connection.encoding(until: .now + stepMax))
            let rights = try service.map { try $0.statements(configuration.schema, on: connection) } ?? []
            try connection.runScript(script(migrations, configuration.schema, rights), until: .now + stepMax)
        } catch let error as PostgreSQLError {
            guard error.kind == .refused(otherState) else {
                throw StorageError(error, ofCommandOn: configuration.schema)
            }
            throw try StorageError.converting { try refusal(of: configuration, for: migrations) }
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(.other, "\(error)")
        }
    }

    /// Returns why the script has refused the schema.
    private static func refusal(
        of configuration: PostgreSQLConfiguration, for migrations: [Migration]
    ) throws -> StorageError {
        let session = try Session.connect(configuration, .wholeSchema)
        return (try SchemaState(of: session).problem(for: migrations) ?? .workingState).refusal(of: session.schema)
    }

    /// The statements without a semicolon after the last one.
    private var statements: String { String(sql.reversed().drop { $0.isWhitespace || $0 == ";" }.reversed()) }

    /// Returns one text, which the server runs as one transaction. Each step is run by a block that first looks whether it is done.
    private static func script(_ migrations: [Migration], _ schema: String, _ rights: [String]) -> String {
        let lock = AdvisoryLock(.whole, "migrations").order(in: schema).number
        let steps = migrations.map { migration in
            """
            DO $step$ BEGIN
                IF NOT EXISTS (SELECT 1 FROM schema_migrations WHERE name = '\(migration.name)') THEN
                    \(migration.statements);
                    INSERT INTO schema_migrations (\(SchemaState.columns.joined(separator: ", ")))
                        VALUES ('\(migration.name)', '\(Release.version)', '\(migration.needsRelease ?? "")');
                END IF;
            END $step$
            """
        }
        let begin = """
            SET client_min_messages = warning;
            BEGIN ISOLATION LEVEL READ COMMITTED;
            SET LOCAL lock_timeout = '\(PostgreSQLLimits.commandLockSeconds)s';
            SELECT pg_advisory_xact_lock(\(lock));
            SET LOCAL search_path = "\(schema)"
            """
        let table = """
            DO $schema$ BEGIN
                IF to_regclass('schema_migrations') IS NULL THEN
                    CREATE SCHEMA IF NOT EXISTS "\(schema)";
                    CREATE TABLE schema_migrations (
                        name text COLLATE "C" PRIMARY KEY, release text COLLATE "C" NOT NULL,
                        needs_release text COLLATE "C" NOT NULL
                    );
                END IF;
            END $schema$
            """
        let check = migrations.first.map { [requireFirst($0, schema)] } ?? []
        return ([begin] + check + [table] + steps + [ServerRecord.note] + rights + ["COMMIT"]).joined(separator: ";\n")
    }

    /// Returns the statement that refuses a schema with tables that has not begun with this step, before anything is written.
    private static func requireFirst(_ first: Migration, _ schema: String) -> String {
        """
        DO $first$ BEGIN
            IF to_regclass('schema_migrations') IS NULL THEN
                IF NOT \(SchemaState.hasTables("'\(schema)'")) THEN RETURN; END IF;
            ELSIF EXISTS (SELECT 1 FROM pg_attribute
                WHERE attrelid = to_regclass('schema_migrations') AND attname = 'release') THEN
                IF EXISTS (SELECT 1 FROM schema_migrations WHERE name = '\(first.name)') THEN RETURN; END IF;
            END IF;
            RAISE EXCEPTION USING ERRCODE = '\(otherState)', MESSAGE = 'the schema does not begin with the first step';
        END $first$
        """
    }
}

extension ServiceRole {
    /// Returns the statements that make the role if it does not exist, and give it its rights.
    fileprivate func statements(_ schema: String, on connection: PQConnection) throws(PostgreSQLError) -> [String] {
        let role = Self.quoted(name, by: "\"")
        // The server gets the password only in the form in which it stores it.
        let verifier = try password.map { (text) throws(PostgreSQLError) in try connection.verifier(of: text, for: name)
        }
        let login = verifier.map { " PASSWORD " + Self.quoted($0, by: "'") } ?? ""
        let creation = """
            BEGIN
                IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = \(Self.quoted(name, by: "'"))) THEN
                    CREATE ROLE \(role) LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE\(login);
                END IF;
            END
            """
        return [
            // Quoted like any text, since a role's name may contain what ends a text between dollar signs.
            "DO " + Self.quoted(creation, by: "'"),
            "GRANT USAGE ON SCHEMA \"\(schema)\" TO \(role)",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \"\(schema)\" TO \(role)",
            "GRANT USAGE ON ALL SEQUENCES IN SCHEMA \"\(schema)\" TO \(role)",
        ]
            + WithheldRights.all(unchangedTables: unchangedTables).map {
                "REVOKE \($0.privileges.joined(separator: ", ")) ON \($0.table) FROM \(role)"
            }
    }

    private static func quoted(_ text: String, by mark: String) -> String {
        mark + text.replacing(mark, with: mark + mark) + mark
    }
}
