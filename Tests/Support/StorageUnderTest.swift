import Foundation
package import Policies
package import PostgreSQL
package import Storage

/// An empty storage of one engine, which as many replicas share as a test opens.
package final class StorageUnderTest: Sendable {
    /// The folder of the file, if the engine is SQLite.
    package let folder: String
    package let policy: Policy
    /// The schema, if the engine is PostgreSQL.
    package let schema: PostgreSQLConfiguration?

    /// - Parameters:
    ///   - server: The address of another PostgreSQL than the shared one.
    ///   - migrations: the steps of the service's schema in PostgreSQL.
    package init(_ engine: DatabaseKind, at server: String?, migrations: [Migration]) async throws {
        schema = engine == .postgreSQL ? try await PostgreSQLServer.newSchema(migrations, at: server) : nil
        folder = FileManager.default.temporaryDirectory.path + "/latchkey-storage-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        policy = try Self.policy()
    }

    /// A small policy.
    ///
    /// - Parameter more: further lines of YAML.
    package static func policy(_ more: String = "") throws -> Policy {
        try Policy.parse(
            """
            issuer: test.app
            audience: test-api
            userIDPrefix: usr_
            profiles:
              mobile: { algorithm: ES256, claims: [phone, role], refresh: { prefix: rt_ } }
            dialects:
              - { name: native, profile: mobile }
            countries:
              allowed: all
            \(more)
            """, file: "test.yaml")
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: folder) } catch { print("scratch folder stays: \(folder)") }
    }
}

extension PostgreSQLServer {
    /// Makes a schema of its own, at `url` or else on the server that all tests share.
    package static func newSchema(
        _ migrations: [Migration], at url: String? = nil, durability: PostgreSQLConfiguration.Durability = .unchecked,
        connections: Int = 3
    ) async throws -> PostgreSQLConfiguration {
        let shared = url == nil ? try await sharedServer().url : ""
        var configuration = PostgreSQLConfiguration(
            url: try DatabaseURL(url ?? shared), schema: "test_\(UUID().uuidString.lowercased())", isProduction: false,
            durability: durability)
        configuration.connectionCount = connections
        configuration.connectMax = Patience.limit
        try Migration.run(migrations, configuration)
        return configuration
    }
}
