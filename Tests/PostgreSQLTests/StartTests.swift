import Foundation
import Logging
import PostgreSQL
import Storage
import TestSupport
import Testing

/// Databases that a process cannot or must not use: each is refused with one line that says why.
@Suite(.timeLimit(.minutes(5))) struct StartTests {
    private static func error(
        _ configuration: PostgreSQLConfiguration, migrations: [Migration] = [DatabaseUnderTest.items]
    ) -> StorageError? {
        do throws(StorageError) {
            _ = try PostgreSQLDatabase.open(configuration, migrations: migrations, logger: Logger(label: "test"))
            return nil
        } catch {
            return error
        }
    }

    private static func configuration(
        _ url: String, schema: String = "test_none", _ durability: PostgreSQLConfiguration.Durability = .unchecked
    ) throws -> PostgreSQLConfiguration {
        PostgreSQLConfiguration(url: try DatabaseURL(url), schema: schema, isProduction: false, durability: durability)
    }

    private static func psql(_ sql: String) async throws -> String {
        let server = try await PostgreSQLServer.sharedServer()
        return try await server.psql(sql)
    }

    @Test func `a server that is away and a wrong database are named`() async throws {
        let url = try await PostgreSQLServer.sharedServer().url
        let away = Self.error(try Self.configuration("postgres://postgres@127.0.0.1:1/postgres"))
        #expect(away?.code == .io && away?.message.contains("Connection refused; Is the server running") == true)
        #expect(away?.message.contains { $0.isNewline || $0 == "\t" } == false)
        let wrong = Self.error(try Self.configuration(url + "_wrong"))
        #expect(wrong?.code == .io && wrong?.message.contains("does not exist") == true)
        #expect(wrong?.message.contains("\n") == false)
    }

    @Test func `a server that can lose commits is refused, or only reported`() async throws {
        let schema = try await DatabaseUnderTest().configuration
        let url = try await PostgreSQLServer.sharedServer().url
        let refused = Self.error(try Self.configuration(url, schema: schema.schema, .settings))
        #expect(refused?.code == .other && refused?.message.hasPrefix("fsync is off") == true)
        #expect(Self.error(try Self.configuration(url, schema: schema.schema, .storage)) == nil)
    }

    @Test(arguments: ["SQL_ASCII", "LATIN2", "WIN1252"])
    func `a database that is not UTF-8 is refused by services and by the migration`(_ encoding: String) async throws {
        let name = "other_\(UUID().uuidString.prefix(8).lowercased())"
        _ = try await Self.psql("CREATE DATABASE \(name) TEMPLATE template0 ENCODING '\(encoding)'")
        let server = try await PostgreSQLServer.sharedServer()
        let configuration = try Self.configuration("postgres://postgres@127.0.0.1:\(server.port)/\(name)")
        let words = "the database's encoding is \(encoding); it has to be UTF8. Make another database"
        let refused = Self.error(configuration)
        #expect(refused?.code == .other && refused?.message.hasPrefix(words) == true)
        let migration = #expect(throws: StorageError.self) {
            try Migration.run([DatabaseUnderTest.items], configuration)
        }
        let copy = #expect(throws: StorageError.self) { _ = try CopyTarget(configuration, migrations: []) }
        let whole = #expect(throws: StorageError.self) {
            _ = try WholeSchema(configuration, migrations: [], isAlone: false)
        }
        for error in [migration, copy, whole] { #expect(error?.message.hasPrefix(words) == true) }
        _ = try await Self.psql("DROP DATABASE \(name)")
    }

    @Test func `a schema that is missing, old or of a newer release names what to run`() async throws {
        let home = try await DatabaseUnderTest()
        let (configuration, name) = (home.configuration, home.configuration.schema)
        let url = try await PostgreSQLServer.sharedServer().url
        let missing = Self.error(try Self.configuration(url))
        #expect(missing?.code == .schema && missing?.message.contains("Run latchkeyctl database migrate") == true)
        let more = Migration("more", "CREATE TABLE more (id bigint)")
        let old = Self.error(configuration, migrations: [DatabaseUnderTest.items, more])
        #expect(old?.message.contains("lacks the step \"more\"") == true)

        let database = try home.open()
        #expect(await database.problem() == nil)
        let newer = Migration("newer", "CREATE TABLE newer (id bigint)", needsRelease: "99.0.0")
        try Migration.run([DatabaseUnderTest.items, newer], configuration)
        #expect(await database.problem()?.contains("Run Latchkey 99.0.0") == true)
        #expect(Self.error(configuration)?.code == .schema)
        _ = try await Self.psql("DROP SCHEMA \"\(name)\" CASCADE")
        #expect(await database.problem()?.contains("does not exist") == true)
    }

    @Test func `a read-only primary and a server without room are refused`() async throws {
        let name = "only_\(UUID().uuidString.prefix(8).lowercased())"
        _ = try await Self.psql("CREATE DATABASE \(name)")
        _ = try await Self.psql("ALTER DATABASE \(name) SET default_transaction_read_only = on")
        let server = try await PostgreSQLServer.sharedServer()
        let readOnly = Self.error(try Self.configuration("postgres://postgres@127.0.0.1:\(server.port)/\(name)"))
        #expect(readOnly?.code == .io && readOnly?.message.contains("read-only") == true)
        _ = try await Self.psql("DROP DATABASE \(name)")

        var configuration = try await DatabaseUnderTest().configuration
        configuration.opensAllAtStart = true
        configuration.connectionCount = 100_000
        let full = Self.error(configuration)
        #expect(full?.code == .full && full?.message.contains("max_connections is 300") == true)
    }

    @Test func `a service's role reads and writes its rows and changes nothing else`() async throws {
        let home = try await DatabaseUnderTest(migrations: [
            DatabaseUnderTest.items, Migration("log", "CREATE TABLE log (id bigint)"),
        ])
        let role = "role $role$ \(UUID().uuidString.prefix(8).lowercased())"
        let schema = home.configuration.schema
        try Migration.run(
            [], home.configuration,
            service: ServiceRole(name: role, unchangedTables: ["log"], password: "a password with ' and \"")
        )
        let server = try await PostgreSQLServer.sharedServer()
        let url = "postgres://\(role.replacing(" ", with: "%20"))@127.0.0.1:\(server.port)/postgres"
        let own = try Self.configuration(url, schema: schema)
        let database = try PostgreSQLDatabase.open(
            own, migrations: [DatabaseUnderTest.items], logger: Logger(label: "test"))
        try await database.add(1, "one")
        try await database.write { try $0.run("INSERT INTO log (id) VALUES (1)") }
        #expect(try await database.names() == ["one"])
        for statement in [
            "CREATE TABLE mine (id bigint)", "DROP TABLE items", "TRUNCATE items", "UPDATE log SET id = 2",
            "UPDATE schema_migrations SET name = 'x'", "ALTER TABLE items ADD COLUMN x bigint",
        ] {
            let error = await #expect(throws: StorageError.self, "\(statement)") {
                try await database.write { try $0.run(SQL(statement)) }
            }
            #expect(error?.message.contains("42501") == true, "\(statement): \(String(describing: error))")
        }
        // Nothing is missing, so a role without rights may migrate too.
        try Migration.run([DatabaseUnderTest.items], own)
        let more = Migration("more", "CREATE TABLE m (id bigint)")
        #expect(throws: StorageError.self) { try Migration.run([DatabaseUnderTest.items, more], own) }
        let verifier = try await Self.psql("SELECT rolpassword FROM pg_authid WHERE rolname = '\(role)'")
        #expect(verifier.hasPrefix("SCRAM-SHA-256$"))
    }

    @Test func `a migration waits for a table in use for two seconds, and then changes nothing`() async throws {
        let home = try await DatabaseUnderTest()
        let database = try home.open()
        // A wait without an end would exceed the suite's time limit: the table is in use until the migration has failed.
        try await database.write { transaction in
            _ = try transaction.rows("SELECT 1 FROM items")
            do throws(StorageError) {
                try Migration.run(
                    [
                        DatabaseUnderTest.items, Migration("made", "CREATE TABLE made (id bigint)"),
                        Migration("wide", "ALTER TABLE items ADD x bigint"),
                    ],
                    home.configuration)
                Issue.record("it did not wait")
            } catch {
                #expect(error.code == .busy && error.message.contains("Run it again"))
            }
        }
        #expect(try await Self.psql("SELECT to_regclass('\"\(home.configuration.schema)\".made') IS NULL") == "t")
    }
}
