import FoundationEssentials

/// The database of a stack when `LATCHKEY_TEST_ENGINE` is `postgres`, as `deploy/test --engine postgres` sets it.
enum DatabaseForStack {
    /// The settings that lead a stack to a new database of the server that all tests share; empty for SQLite.
    static func environment() async throws -> [String: String] {
        guard ProcessInfo.processInfo.environment["LATCHKEY_TEST_ENGINE"] == "postgres" else { return [:] }
        let server = try await PostgreSQLServer.sharedServer()
        let name = "stack_" + UUID().uuidString.lowercased().replacing("-", with: "_")
        _ = try await server.psql("CREATE DATABASE \(name)")
        let url = "postgres://postgres@127.0.0.1:\(server.port)/\(name)"
        return ["TOKEN_DATABASE_URL": url, "USER_DATABASE_URL": url]
    }
}
