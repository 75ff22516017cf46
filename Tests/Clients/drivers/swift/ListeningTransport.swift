import Foundation
import LatchkeyAuth

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport that sends nothing before the driver listens to the client's events.
///
/// A client reads its store as it is created, and sends a sign-out that the server has not confirmed yet. On a busy machine the
/// response can come before the driver listens, and a scenario would wait in vain for the event.
struct ListeningTransport: Transport {
    let transport: any Transport
    /// Ends once the driver listens.
    let listening: Task<Void, Never>

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        await listening.value
        return try await transport.send(request)
    }
}
