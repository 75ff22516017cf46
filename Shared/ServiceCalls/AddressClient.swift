import AsyncHTTPClient
import NIOCore
import Synchronization

/// The authority of a URL of a service.
enum ServiceAuthority {
    /// Returns the host, IPv6 without brackets, and the port.
    static func parts(of url: String) -> (host: String, port: Int)? {
        guard let scheme = url.firstRange(of: "://") else { return nil }
        let authority = url[scheme.upperBound...].prefix { $0 != "/" }
        let usual = url.hasPrefix("https:") ? 443 : 80
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            let rest = authority[authority.index(after: end)...].dropFirst()
            return (String(authority[..<end].dropFirst()), Int(rest) ?? usual)
        }
        let parts = authority.split(separator: ":", maxSplits: 1)
        return parts.first.map { (String($0), parts.count > 1 ? Int(parts[1]) ?? usual : usual) }
    }
}

/// The client of one address. Once nothing refers to it any more, its connections close.
final class AddressClient: Sendable {
    /// How long an address that accepted no connection is tried last.
    private static let refusalTime: Duration = .seconds(5)

    private let client: HTTPClient
    private let isOwn: Bool
    private let refusedAt = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameter client: A client that its owner closes.
    init(shared client: HTTPClient) { (self.client, isOwn) = (client, false) }

    /// Creates a client that connects to this address for the URL's name; certificates still have to contain the name.
    init(of baseURL: String, at address: SocketAddress) {
        let host = ServiceAuthority.parts(of: baseURL)?.host ?? ""
        client = makeHTTPClient(connecting: [host: address.ipAddress ?? host])
        isOwn = true
    }

    deinit {
        guard isOwn else { return }
        // Fails only for a client that was shut down before.
        Task { [client] in do { try await client.shutdown() } catch {} }
    }

    /// Whether it has just accepted no connection.
    func isRefusing(_ now: ContinuousClock.Instant) -> Bool {
        refusedAt.withLock { $0 }.map { now < $0 + Self.refusalTime } ?? false
    }

    /// Notes that it accepts connections, or that it does not.
    func note(isRefusing: Bool) { refusedAt.withLock { $0 = isRefusing ? .now : nil } }

    /// Sends a request, until whose response the connections stay.
    func execute(
        _ request: HTTPClient.Request, bytesMax: Int, deadline: NIODeadline
    ) async throws -> HTTPClient.Response {
        defer { withExtendedLifetime(self) {} }
        // The client's async API applies the deadline only until the head, so a trickled body would never end.
        return try await client.execute(
            request: request, delegate: ResponseAccumulator(request: request, maxBodySize: bytesMax), deadline: deadline
        ).get()
    }
}
