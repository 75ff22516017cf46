import Logging
import RedisClient
import TestSupport
import Testing

/// Runs `body` with a client, and ends the client on every way out.
func withClient<Result>(
    of server: RedisServer, _ configure: (inout RedisConfiguration) -> Void = { _ in },
    _ body: (RedisClient) async throws -> Result
) async throws -> Result {
    let client = RedisClient(
        server.client(configure), logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    let run = Task { try await client.run() }
    do {
        let result = try await body(client)
        run.cancel()
        try await run.value
        return result
    } catch {
        run.cancel()
        try await run.value
        throw error
    }
}

extension RedisServer {
    /// The settings of a client of this server, patient enough for a busy machine.
    func client(_ configure: (inout RedisConfiguration) -> Void = { _ in }) -> RedisConfiguration {
        var configuration = RedisConfiguration(port: port)
        configuration.commandTimeout = .seconds(10)
        configure(&configuration)
        return configuration
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

/// Polls until the condition holds; an issue when it does not within the time.
func eventually(
    within timeout: Duration = .seconds(10), _ condition: () async throws -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let deadline = ContinuousClock.now + timeout
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record("not within \(timeout)", sourceLocation: sourceLocation)
            return
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}
