import Storage
import TestSupport
import Testing

@testable import PostgreSQL

/// Commands that change a whole schema while no service uses it.
@Suite(.timeLimit(.minutes(5))) struct WholeSchemaTests {
    private static func alone(_ test: DatabaseUnderTest) throws(StorageError) -> WholeSchema {
        try WholeSchema(test.configuration, migrations: [DatabaseUnderTest.items], isAlone: true)
    }

    private static func error(_ test: DatabaseUnderTest) -> StorageError? {
        do throws(StorageError) {
            _ = try alone(test)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a service in between keeps the command out, and the command keeps services out`() async throws {
        let test = try await DatabaseUnderTest()
        let service = try test.open()
        let refused = Self.error(test)
        #expect(refused?.code == .busy && refused?.message.contains("is in use (server processes ") == true)
        try await service.shutDown()

        let command = try Self.alone(test)
        let other = #expect(throws: StorageError.self) { try test.open() }
        #expect(other?.code == .busy && other?.message.contains("changes the whole schema") == true)
        #expect(Self.error(test)?.code == .busy)
        try command.write { try $0.run("INSERT INTO items (id, name) VALUES (1, 'one')") }
        withExtendedLifetime(command) {}
    }

    @Test func `services begin once the command has ended, and see all of it`() async throws {
        let test = try await DatabaseUnderTest()
        try Self.alone(test).write { transaction in
            try transaction.run("INSERT INTO items (id, name) VALUES (1, 'one')")
            try transaction.run("INSERT INTO items (id, name) VALUES (2, 'two')")
        }
        #expect(throws: StorageError.self) {
            try Self.alone(test).write { transaction in
                try transaction.run("TRUNCATE items")
                throw StorageError(.other, "no")
            }
        }
        var database: PostgreSQLDatabase?
        try await eventually("the lock is free") {
            database = try? test.open()
            return database != nil
        }
        #expect(try await database?.names() == ["one", "two"])
    }

    @Test func `a role that does not own the schema is refused`() async throws {
        let test = try await DatabaseUnderTest()
        let role = "role_\(test.configuration.schema.suffix(8))"
        let service = ServiceRole(name: role, unchangedTables: [], password: nil)
        try Migration.run([DatabaseUnderTest.items], test.configuration, service: service)
        let own = PostgreSQLConfiguration(
            url: test.configuration.url.with(user: role), schema: test.configuration.schema, isProduction: false,
            durability: .unchecked)
        let error = #expect(throws: StorageError.self) {
            try WholeSchema(own, migrations: [DatabaseUnderTest.items], isAlone: true)
        }
        #expect(error?.message.contains("the role \(role) does not own the schema") == true)
        // Reading needs no more rights than a service has, and goes on next to one.
        let database = try test.open()
        try await database.add(1, "one")
        let reader = try WholeSchema(own, migrations: [DatabaseUnderTest.items], isAlone: false)
        #expect(try reader.read { try $0.rows("SELECT name FROM items").map { $0.text(0) } } == ["one"])
    }
}
