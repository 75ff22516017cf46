import Foundation
import Logging
import Release
import Storage
import TestSupport
import Testing

@testable import PostgreSQL

/// A schema that the first step of today's has not begun is refused, and stays as it is.
@Suite(.timeLimit(.minutes(5))) struct EarlierStateTests {
    private static let steps = """
        CREATE TABLE schema_migrations (name text COLLATE "C" PRIMARY KEY, release text COLLATE "C" NOT NULL,
            needs_release text COLLATE "C" NOT NULL)
        """

    /// A schema with one step, which a release has run.
    private static func state(_ step: String, by release: String = Release.version, needs: String = "") -> String {
        "\(steps); INSERT INTO schema_migrations VALUES ('\(step)', '\(release)', '\(needs)')"
    }

    private static let earlier = Migration.firstOfSchema("CREATE TABLE items (id bigint PRIMARY KEY)")
    private static let states = [
        "CREATE TABLE items (id bigint)", "CREATE TABLE items (id bigint) PARTITION BY RANGE (id)",
        "CREATE TABLE schema_migrations (name text, needs_release text); CREATE TABLE users (id bigint)",
        steps, state("version 1"), "\(state(earlier.name)); \(earlier.sql)",
        "\(state(earlier.name, needs: "99.0.0")); \(earlier.sql)",
        """
        CREATE TABLE schema_migrations (name text, needs_release text);
        INSERT INTO schema_migrations VALUES ('\(DatabaseUnderTest.items.name)', ''); \(DatabaseUnderTest.items.sql)
        """,
        "CREATE TABLE schema_migrations (name text); INSERT INTO schema_migrations VALUES ('users')",
    ]

    /// Makes a schema of its own in this state.
    private static func made(of state: String) async throws -> PostgreSQLConfiguration {
        let configuration = try await DatabaseUnderTest().configuration
        let schema = configuration.schema
        _ = try await PostgreSQLServer.sharedServer().psql(
            "DROP SCHEMA \"\(schema)\" CASCADE; CREATE SCHEMA \"\(schema)\"; SET search_path = \"\(schema)\"; \(state)")
        return configuration
    }

    /// Everything that the server knows about the tables, functions and rights of a schema.
    private static func contents(_ schema: String) async throws -> String {
        try await PostgreSQLServer.sharedServer().psql(
            """
            SELECT c.relname, c.relkind, c.relacl, a.attname, a.atttypid FROM pg_class c
            JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE n.nspname = '\(schema)' ORDER BY 1, a.attnum
            """)
    }

    @Test(arguments: [
        (state("gone", by: "0.9.0"), "was last changed by Latchkey 0.9.0"),
        (state("gone", by: "99.0.0"), "was migrated for newer releases"),
    ])
    func `a schema of a release that is too old or newer names the release to use, and is not changed`(
        state: String, words: String
    ) async throws {
        let configuration = try await Self.made(of: state)
        let schema = configuration.schema
        let before = try await Self.contents(schema)
        let migrations = [DatabaseUnderTest.items]
        let refusals = [
            #expect(throws: StorageError.self) {
                _ = try PostgreSQLDatabase.open(configuration, migrations: migrations, logger: Logger(label: "test"))
            }, #expect(throws: StorageError.self) { try Migration.run(migrations, configuration) },
        ]
        for refusal in refusals { #expect(refusal?.code == .schema && refusal?.message.contains(words) == true) }
        #expect(try await Self.contents(schema) == before)
    }

    @Test(arguments: states)
    func `a schema of an earlier working state is refused by everything, and nothing in it is changed`(
        state: String
    ) async throws {
        let configuration = try await Self.made(of: state)
        let schema = configuration.schema
        let before = try await Self.contents(schema)
        let migrations = [DatabaseUnderTest.items]
        let role = "role_\(UUID().uuidString.prefix(8).lowercased())"
        let service = ServiceRole(name: role, unchangedTables: [], password: "a password")
        let refusals = [
            #expect(throws: StorageError.self) {
                _ = try PostgreSQLDatabase.open(configuration, migrations: migrations, logger: Logger(label: "test"))
            },
            #expect(throws: StorageError.self) { try Migration.run(migrations, configuration, service: service) },
            #expect(throws: StorageError.self) { _ = try CopyTarget(configuration, migrations: migrations) },
            #expect(throws: StorageError.self) {
                _ = try WholeSchema(configuration, migrations: migrations, isAlone: true)
            },
        ]
        for refusal in refusals {
            #expect(refusal?.code == .other)
            #expect(refusal?.message.hasPrefix("the schema \(schema) \(FirstStep.refusal). ") == true)
        }
        #expect(try await Self.contents(schema) == before)
        let roles = try await PostgreSQLServer.sharedServer().psql(
            "SELECT count(*) FROM pg_roles WHERE rolname = '\(role)'")
        #expect(roles == "0")
    }

    @Test func `a schema with other things than tables is filled, and one that may not be read is not called old`()
        async throws
    {
        let server = try await PostgreSQLServer.sharedServer()
        let configuration = try await DatabaseUnderTest().configuration
        let schema = "\"\(configuration.schema)\""
        _ = try await server.psql(
            "DROP SCHEMA \(schema) CASCADE; CREATE SCHEMA \(schema); CREATE VIEW \(schema).v AS SELECT 1; CREATE SEQUENCE \(schema).s"
        )
        try Migration.run([DatabaseUnderTest.items], configuration)
        let role = "role_\(UUID().uuidString.prefix(8).lowercased())"
        _ = try await server.psql("CREATE ROLE \(role) LOGIN")
        let stranger = PostgreSQLConfiguration(
            url: try DatabaseURL("postgres://\(role)@127.0.0.1:\(server.port)/postgres"), schema: configuration.schema,
            isProduction: false, durability: .unchecked)
        for _ in 0..<2 {
            let refusal = #expect(throws: StorageError.self) {
                _ = try PostgreSQLDatabase.open(
                    stranger, migrations: [DatabaseUnderTest.items], logger: Logger(label: "test"))
            }
            #expect(refusal?.code == .schema && refusal?.message.contains("may not be read") == true)
            // With the right to use the schema, but none of its tables.
            _ = try await server.psql("GRANT USAGE ON SCHEMA \(schema) TO \(role)")
        }
    }
}
