package import Logging
package import RedisClient

/// Runs `body` while the client is connected, and ends the client on every way out.
package func running<Result>(_ client: RedisClient, _ body: () async throws -> Result) async throws -> Result {
    let run = Task { try await client.run() }
    do {
        let result = try await body()
        run.cancel()
        try await run.value
        return result
    } catch {
        run.cancel()
        try await run.value
        throw error
    }
}

/// Runs `body` with a client of these settings, which ends on every way out.
package func withRedisClient<Result>(
    _ configuration: RedisConfiguration, _ body: (RedisClient) async throws -> Result
) async throws -> Result {
    let client = RedisClient(configuration, logger: .silent)
    return try await running(client) { try await body(client) }
}

/// Runs `body` with a Redis of its own, which has these sources of function libraries, and a client of it.
package func withRedis<Result>(
    functions: [String] = [], _ body: (RedisServer, RedisClient) async throws -> Result
) async throws -> Result {
    try await withRedisServer(functions: functions) { server in
        try await withRedisClient(.patient(port: server.port)) { try await body(server, $0) }
    }
}

extension Logger {
    /// Says nothing.
    package static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
