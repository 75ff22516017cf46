package import NIOCore

/// Why a WebSocket or a live response ended; the label `reason` of its metric.
package enum LongEnding: String, Sendable, CaseIterable {
    /// The client has left, the gateway is stopping, or it has taken the connection back.
    case closed
    /// The upstream has ended it.
    case upstream
    /// No byte has moved for the route's `idleSeconds`.
    case idle
    /// The route's `totalSeconds` are over.
    case overlong
    /// The user's token has expired.
    case expired
    /// The session or the token's version is revoked.
    case revoked
    /// Revocations could not be checked for too long.
    case unchecked
    /// A new policy has no such route any more.
    case policy
}

/// Decides how long a request may stay open.
package protocol LongWatch: AnyObject, Sendable {
    /// Notes that the WebSocket is open, or that the live response has begun.
    ///
    /// - Parameter end: ends it; callable on any thread and at any time.
    /// - Returns: the reason why it must not begin after all; `nil` if it may. `didEnd` follows in either case.
    func didOpen(end: @escaping @Sendable (LongEnding) -> Void) -> LongEnding?
    /// Notes its end.
    func didEnd(_ ending: LongEnding)
}

/// How a request is handled that may stay open for hours: a WebSocket, or a live response.
package final class LongPlan: Sendable {
    /// The request to open a WebSocket; `nil` for a live response.
    let handshake: WebSocketHandshake?
    /// The longest time without a byte, in seconds: from the upstream, or in both directions of a WebSocket.
    let idleSeconds: Int64
    /// The time at which the user's token expires; `nil` without a user.
    private let expiresAt: NIODeadline?
    let watch: any LongWatch

    package init(
        handshake: WebSocketHandshake?, idleSeconds: Int64, expiresAt: NIODeadline? = nil, watch: any LongWatch
    ) {
        self.handshake = handshake
        self.idleSeconds = idleSeconds
        self.expiresAt = expiresAt
        self.watch = watch
    }

    /// Returns the latest end: the token's, or `total` if that is earlier.
    func end(atMost total: NIODeadline?) -> NIODeadline? {
        guard let total else { return expiresAt }
        return expiresAt.map { min($0, total) } ?? total
    }

    /// Returns the reason for which its deadline has passed.
    ///
    /// - Parameter end: the latest end.
    func ending(at now: NIODeadline, end: NIODeadline?) -> LongEnding {
        if let expiresAt, expiresAt <= now { return .expired }
        if let end, end <= now { return .overlong }
        return .idle
    }
}
