import Logging
import RedisClient
import TestSupport
import Testing

/// Runs `body` with a client, and ends the client on every way out.
func withClient<Result>(
    of server: RedisServer, _ configure: (inout RedisConfiguration) -> Void = { _ in },
    _ body: (RedisClient) async throws -> Result
) async throws -> Result {
    try await withRedisClient(server.client(configure), body)
}

extension RedisServer {
    /// The settings of a client of this server.
    func client(_ configure: (inout RedisConfiguration) -> Void = { _ in }) -> RedisConfiguration {
        var configuration = RedisConfiguration.patient(port: port)
        configure(&configuration)
        return configuration
    }
}

extension RedisClient {
    /// A number of `INFO`, such as `blocked_clients`.
    func statistic(_ name: String) async throws -> Int? {
        let lines = try await send(["INFO"]).text?.split(separator: "\r\n")
        return lines?.first { $0.hasPrefix(name + ":") }.flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    /// Waits until one connection of the server is in a blocking command.
    func seesBlockedClient() async throws {
        try await eventually("a client is blocked") { try await statistic("blocked_clients") == 1 }
    }
}

/// The error of a call that must fail.
func failure<Value>(of call: () async throws -> Value) async -> RedisError? {
    do {
        _ = try await call()
        return nil
    } catch let error as RedisError {
        return error
    } catch {
        Issue.record(error)
        return nil
    }
}
