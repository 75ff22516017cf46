import Foundation
import Logging
import PostgreSQL
import Storage
import TestSupport

/// A schema of the shared server with one table, `items`.
struct DatabaseUnderTest {
    static let items = Migration.firstOfSchema(
        "CREATE TABLE items (id bigint PRIMARY KEY, name text COLLATE \"C\" NOT NULL UNIQUE, part bytea)")

    let configuration: PostgreSQLConfiguration
    private let migrations: [Migration]

    /// - Parameter url: the address of another server than the shared one.
    init(
        url: String? = nil, durability: PostgreSQLConfiguration.Durability = .unchecked, connections: Int = 3,
        migrations: [Migration] = [items]
    ) async throws {
        self.migrations = migrations
        configuration = try await PostgreSQLServer.newSchema(
            migrations, at: url, durability: durability, connections: connections)
    }

    func open() throws -> PostgreSQLDatabase {
        try PostgreSQLDatabase.open(configuration, migrations: migrations, logger: Logger(label: "test"))
    }

    /// Returns a configuration for the schema on other servers of this machine, with two connections.
    func configuration(
        ofServersAt ports: [Int], user: String = "postgres", options: String = ""
    ) throws -> PostgreSQLConfiguration {
        let hosts = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        var others = PostgreSQLConfiguration(
            url: try DatabaseURL("postgres://\(user)@\(hosts)/postgres\(options)"), schema: configuration.schema,
            isProduction: false, durability: .unchecked)
        others.connectionCount = 2
        return others
    }

    /// Opens the same schema by another address of the server.
    func open(port: Int) throws -> PostgreSQLDatabase {
        try PostgreSQLDatabase.open(
            configuration(ofServersAt: [port]), migrations: [], logger: Logger(label: "test"))
    }
}

extension PostgreSQLDatabase {
    func add(_ id: Int64, _ name: String) async throws {
        try await write { try $0.run("INSERT INTO items (id, name) VALUES ($1, $2)", id, name) }
    }

    /// The names of all items, in the order of their ids.
    func names() async throws -> [String] {
        try await read { try $0.rows("SELECT name FROM items ORDER BY id").map { $0.text(0) } }
    }
}
