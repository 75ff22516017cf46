import EdgeHTTP
import NIOCore
import Policies
import Synchronization

/// A WebSocket or a live response of one user, from the decision about its request to its end.
final class LongConnection: LongWatch {
    /// The label `kind` of metrics.
    enum Kind: String, Sendable, CaseIterable {
        case webSocket = "websocket"
        case live
    }

    let route: AppRoute
    /// The user's token; `nil` if the route needed none.
    let token: TokenIdentity?
    private let head: RequestHead
    private let connections: LongConnections
    private let ending = Mutex<(@Sendable (LongEnding) -> Void)?>(nil)

    init(_ head: RequestHead, at route: AppRoute, as token: TokenIdentity?, among connections: LongConnections) {
        self.head = head
        self.route = route
        self.token = token
        self.connections = connections
    }

    var kind: Kind { route.policy.webSocket ? .webSocket : .live }

    func didOpen(end: @escaping @Sendable (LongEnding) -> Void) -> LongEnding? {
        ending.withLock { $0 = end }
        return connections.add(self)
    }

    func didEnd(_ reason: LongEnding) {
        ending.withLock { $0 = nil }
        connections.remove(self, reason)
    }

    /// Ends it, unless it has ended.
    func end(_ reason: LongEnding) { ending.withLock(\.self)?(reason) }

    /// Whether a table would still pass its request on in the same way.
    func isServed(by table: RouteTable) -> Bool {
        let match = head.withPath { table.match(head.method, $0, host: { head.hostName }) }.match
        guard case .app(let now) = match else { return false }
        return now.upstream === route.upstream && now.policy.access == route.policy.access
            && now.policy.actAs == route.policy.actAs && now.policy.webSocket == route.policy.webSocket
            && now.policy.live == route.policy.live
    }
}

extension TokenIdentity {
    /// The greatest time until an expiry that is waited for: ten years, in seconds.
    private static let expirySecondsMax: Int64 = 315_360_000

    /// Returns the time at which the token is refused.
    ///
    /// - Parameter milliseconds: Unix time in milliseconds.
    func expiry(now: NIODeadline, milliseconds: Int64) -> NIODeadline {
        let seconds = min(max(acceptedUntil, 0), milliseconds / 1000 + Self.expirySecondsMax)
        return now + .milliseconds(max(0, seconds * 1000 - milliseconds))
    }
}
