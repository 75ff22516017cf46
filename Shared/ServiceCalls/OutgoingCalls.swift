package import AsyncHTTPClient
import ServiceLifecycle

/// Keeps an HTTP client alive until everything that uses it has stopped.
package struct OutgoingCalls: Service {
    package let client: HTTPClient

    package init(client: HTTPClient) { self.client = client }

    package func run() async throws {
        // Cancellation ends the wait like a shutdown, because the client must be shut down in every case.
        do { try await gracefulShutdown() } catch is CancellationError {}
        try await client.shutdown()
    }
}
