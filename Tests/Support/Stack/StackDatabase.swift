import FoundationEssentials

/// The PostgreSQL database of a stack, and the ports by which the services reach it.
package struct StackDatabase: Sendable {
    /// The primary, until a standby is promoted.
    package let server: PostgreSQLServer
    private let standby: PostgreSQLServer?
    private let ports: [Int]
    private let name: String

    /// - Parameters:
    ///   - standby: a standby that the services also know.
    ///   - port: the port of a proxy; `nil` for the server's own.
    package init(
        on server: PostgreSQLServer, standby: PostgreSQLServer? = nil, name: String = "postgres", port: Int? = nil
    ) {
        self.server = server
        self.standby = standby
        self.name = name
        ports = [port ?? server.port] + (standby.map { [$0.port] } ?? [])
    }

    /// Returns a new database of the server that all tests share when `LATCHKEY_TEST_ENGINE` is `postgres`, as
    /// `deploy/test --engine postgres` sets it; `nil` for SQLite.
    static func ofEngineUnderTest() async throws -> StackDatabase? {
        guard ProcessInfo.processInfo.environment["LATCHKEY_TEST_ENGINE"] == "postgres" else { return nil }
        let server = try await PostgreSQLServer.sharedServer()
        let name = "stack_" + UUID().uuidString.lowercased().replacing("-", with: "_")
        _ = try await server.psql("CREATE DATABASE \(name)")
        return StackDatabase(on: server, name: name)
    }

    /// Makes the schemas, as an operator does before the first start.
    func migrate(by binaries: String) async throws {
        let migrated = try await Shell.run(
            "./latchkeyctl database migrate", in: binaries, environment: await environmentOfCommands())
        guard migrated.isSuccess else { throw LatchkeyStack.NotReady(description: migrated.output) }
    }

    /// The settings that lead the services to it.
    package var environment: [String: String] { environment(ports) }

    /// The settings that lead a command to the primary, past any proxy.
    func environmentOfCommands() async -> [String: String] { environment([await primary().port]) }

    private func environment(_ ports: [Int]) -> [String: String] {
        let hosts = ports.map { "127.0.0.1:\($0)" }.joined(separator: ",")
        // Without TLS, so that a proxy can read along.
        let url = "postgres://postgres@\(hosts)/\(name)?sslmode=disable"
        return ["TOKEN_DATABASE_URL": url, "USER_DATABASE_URL": url]
    }

    private func primary() async -> PostgreSQLServer {
        if let standby, await standby.isPrimary() { standby } else { server }
    }

    /// Runs statements in the schema of a service and returns their rows as lines, with `|` between the columns.
    ///
    /// - Parameter service: `token` or `user`.
    package func rows(of service: String, _ sql: String) async throws -> [String] {
        try await primary().psql("SET search_path = latchkey_\(service); \(sql)", database: name)
            .split(separator: "\n").map(String.init)
    }
}
