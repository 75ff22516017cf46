package import AsyncHTTPClient
import ServiceLifecycle

/// Keeps an HTTP client until everything that calls through it has ended.
package struct OutgoingCalls: Service {
    package let client: HTTPClient

    package init(client: HTTPClient) { self.client = client }

    package func run() async throws {
        // Cancellation ends the wait as a shutdown does: the client must be shut down on every way out.
        do { try await gracefulShutdown() } catch is CancellationError {}
        try await client.shutdown()
    }
}
