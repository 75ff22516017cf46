internal import AsyncHTTPClient
internal import ServiceLifecycle

/// Keeps the HTTP client until everything that calls through it has ended.
struct OutgoingCalls: Service {
    let client: HTTPClient

    func run() async throws {
        // Cancellation ends the wait as a shutdown does: the client must be shut down on every way out.
        do { try await gracefulShutdown() } catch is CancellationError {}
        try await client.shutdown()
    }
}
