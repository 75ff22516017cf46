internal import AsyncHTTPClient
internal import ServiceLifecycle

/// Closes an HTTP client when the services after it have stopped using it.
struct HTTPClientLifetime: Service {
    let client: HTTPClient

    func run() async throws {
        // Cancelled: the way out is the same.
        do { try await gracefulShutdown() } catch is CancellationError {}
        try await client.shutdown()
    }
}
