import Foundation
import Logging
import PostgreSQL
import Storage
import TestSupport
import Testing

/// Production refuses a service's role that has more rights than the migration grants.
@Suite(.timeLimit(.minutes(2))) struct RoleRightsTests {
    /// A kind of excess: the statements that give it to ROLE of the schema SCHEMA, and the words of its refusal.
    struct Excess: Sendable, CustomStringConvertible {
        let statements: [String]
        let finding: String

        init(_ finding: String, _ statements: String...) { (self.finding, self.statements) = (finding, statements) }

        var description: String { finding }
    }

    private static let kinds: [Excess] = [
        Excess("is a superuser", "ALTER ROLE ROLE SUPERUSER"),
        Excess("has CREATEROLE", "ALTER ROLE ROLE CREATEROLE"), Excess("has CREATEDB", "ALTER ROLE ROLE CREATEDB"),
        Excess("has BYPASSRLS", "ALTER ROLE ROLE BYPASSRLS"), Excess("has REPLICATION", "ALTER ROLE ROLE REPLICATION"),
        Excess("is a member of OTHER", "CREATE ROLE OTHER", "GRANT OTHER TO ROLE"),
        Excess("is a member of OTHER", "CREATE ROLE OTHER", "ALTER ROLE ROLE NOINHERIT", "GRANT OTHER TO ROLE"),
        Excess(
            "is a member of OTHER", "CREATE ROLE OTHER", "CREATE ROLE OTHER_2 NOINHERIT", "GRANT OTHER TO OTHER_2",
            "GRANT OTHER_2 TO ROLE"),
        Excess("is a member of pg_execute_server_program", "GRANT pg_execute_server_program TO ROLE"),
        Excess("is a member of pg_write_all_data", "GRANT pg_write_all_data TO ROLE"),
        Excess("is a member of pg_read_all_data", "GRANT pg_read_all_data TO ROLE"),
        Excess("is a member of pg_signal_backend", "GRANT pg_signal_backend TO ROLE"),
        Excess("owns the schema SCHEMA", "ALTER SCHEMA \"SCHEMA\" OWNER TO ROLE"),
        Excess("owns the table", "ALTER TABLE \"SCHEMA\".items OWNER TO ROLE"),
        Excess("owns the schema OTHER", "CREATE SCHEMA OTHER AUTHORIZATION ROLE"),
        Excess(
            "owns the function", "CREATE FUNCTION OTHER() RETURNS int LANGUAGE sql AS 'SELECT 1'",
            "ALTER FUNCTION OTHER() OWNER TO ROLE"),
        Excess("has TRUNCATE on items", "GRANT TRUNCATE ON \"SCHEMA\".items TO ROLE"),
        Excess("has TRIGGER on items", "GRANT TRIGGER ON \"SCHEMA\".items TO ROLE"),
        Excess("has REFERENCES on items", "GRANT REFERENCES (id) ON \"SCHEMA\".items TO ROLE"),
        Excess("has DELETE on copied_file", "GRANT ALL ON ALL TABLES IN SCHEMA \"SCHEMA\" TO ROLE"),
        Excess("has TRUNCATE on items", "GRANT TRUNCATE ON \"SCHEMA\".items TO PUBLIC"),
        Excess("has UPDATE on log", "GRANT UPDATE ON \"SCHEMA\".log TO ROLE"),
        Excess("has UPDATE on log", "GRANT UPDATE (id) ON \"SCHEMA\".log TO ROLE"),
        Excess("has DELETE on schema_migrations", "GRANT DELETE ON \"SCHEMA\".schema_migrations TO ROLE"),
        Excess("has UPDATE on copied_file", "GRANT UPDATE ON \"SCHEMA\".copied_file TO ROLE"),
        Excess("has UPDATE on numbers", "GRANT UPDATE ON SEQUENCE \"SCHEMA\".numbers TO ROLE"),
        Excess("may create tables in the schema", "GRANT CREATE ON SCHEMA \"SCHEMA\" TO ROLE"),
        Excess("may pass on its rights to items", "GRANT SELECT ON \"SCHEMA\".items TO ROLE WITH GRANT OPTION"),
        Excess("has privileges in the schema OTHER", "CREATE SCHEMA OTHER", "GRANT USAGE ON SCHEMA OTHER TO ROLE"),
        Excess("has privileges in the schema OTHER", "CREATE SCHEMA OTHER", "GRANT USAGE ON SCHEMA OTHER TO PUBLIC"),
        Excess(
            "has privileges on the table OTHER.t", "CREATE SCHEMA OTHER", "CREATE TABLE OTHER.t (x int)",
            "GRANT SELECT ON OTHER.t TO ROLE"),
        Excess(
            "has privileges on the table public.OTHER", "CREATE TABLE OTHER (x int)",
            "GRANT SELECT (x) ON OTHER TO ROLE"),
        Excess(
            "has privileges on the function pg_read_file(text)", "GRANT EXECUTE ON FUNCTION pg_read_file(text) TO ROLE"),
        Excess("has privileges on the schema public", "GRANT CREATE ON SCHEMA public TO ROLE"),
        Excess("has privileges on the parameter", "GRANT SET ON PARAMETER session_replication_role TO ROLE"),
        Excess("may create schemas in the database", "GRANT CREATE ON DATABASE DATABASE TO ROLE"),
    ]

    @Test(arguments: kinds) func `each right beyond those granted is refused`(_ kind: Excess) async throws {
        let role = try await RoleUnderTest()
        #expect(try role.error() == nil)
        for statement in kind.statements { try await role.psql(statement) }
        let error = try role.error()
        #expect(error?.code == .other, "\(kind)")
        #expect(error?.message.contains(role.named(kind.finding)) == true, "\(String(describing: error))")
        #expect(error?.message.contains("\n") == false)
        #expect(try role.error(isProduction: false) == nil)
    }

    @Test func `what PUBLIC has on the database and in public does not count, nor the right to connect`() async throws {
        let role = try await RoleUnderTest()
        for statement in [
            "GRANT ALL ON SCHEMA public TO PUBLIC", "GRANT CREATE ON DATABASE DATABASE TO PUBLIC",
            "CREATE TABLE OTHER (x int)", "GRANT ALL ON OTHER TO PUBLIC",
            "REVOKE CONNECT ON DATABASE DATABASE FROM PUBLIC",
            "GRANT CONNECT, TEMPORARY ON DATABASE DATABASE TO ROLE",
        ] { try await role.psql(statement) }
        #expect(try role.error() == nil)
        // The migration takes back what a table of the owner must not give.
        try await role.psql("GRANT UPDATE ON \"SCHEMA\".schema_migrations TO ROLE")
        #expect(try role.error() != nil)
        try role.migrate()
        #expect(try role.error() == nil)
    }

    @Test func `one role for two schemas is refused by its rights in the other one`() async throws {
        let role = try await RoleUnderTest()
        try role.migrate(schema: "other_schema")
        #expect(try role.error()?.message.contains("has privileges in the schema other_schema") == true)
    }
}

/// A role that a migration has made, in a database of its own.
private struct RoleUnderTest {
    private static let migrations = [
        DatabaseUnderTest.items, Migration("log", "CREATE TABLE log (id bigint); CREATE SEQUENCE numbers"),
    ]
    private let server: PostgreSQLServer
    private let owner: PostgreSQLConfiguration
    private let name = "role_\(UUID().uuidString.prefix(8).lowercased())"
    private let database = "rights_\(UUID().uuidString.prefix(8).lowercased())"

    init() async throws {
        server = try await PostgreSQLServer.sharedServer()
        _ = try await server.psql("CREATE DATABASE \(database)")
        owner = PostgreSQLConfiguration(
            url: try DatabaseURL("postgres://postgres@127.0.0.1:\(server.port)/\(database)?sslmode=disable"),
            schema: "home_\(name)", isProduction: false, durability: .unchecked)
        try migrate()
    }

    func migrate(schema: String? = nil) throws {
        let configuration = PostgreSQLConfiguration(
            url: owner.url, schema: schema ?? owner.schema, isProduction: false, durability: .unchecked)
        try Migration.run(
            Self.migrations, configuration, service: ServiceRole(name: name, unchangedTables: ["log"], password: nil))
    }

    /// Replaces the names in a statement or in a finding.
    func named(_ text: String) -> String {
        text.replacing("ALTER ROLE ROLE", with: "ALTER ROLE \(name)").replacing("TO ROLE", with: "TO \(name)")
            .replacing("AUTHORIZATION ROLE", with: "AUTHORIZATION \(name)").replacing("OTHER", with: "other_\(name)")
            .replacing("SCHEMA\"", with: "\(owner.schema)\"").replacing("schema SCHEMA", with: "schema \(owner.schema)")
            .replacing("DATABASE DATABASE", with: "DATABASE \(database)")
    }

    func psql(_ sql: String) async throws { _ = try await server.psql(named(sql), database: database) }

    func error(isProduction: Bool = true) throws -> StorageError? {
        let configuration = PostgreSQLConfiguration(
            url: owner.url.with(user: name), schema: owner.schema, isProduction: isProduction, durability: .storage)
        do throws(StorageError) {
            _ = try PostgreSQLDatabase.open(
                configuration, migrations: Self.migrations, unchangedTables: ["log"], logger: Logger(label: "test"))
            return nil
        } catch {
            return error
        }
    }
}
