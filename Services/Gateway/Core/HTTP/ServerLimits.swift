internal import NIOCore

/// Bounds on what clients may send, and for how long (security guide L9).
struct ServerLimits: Sendable {
    var head = HeaderBlock.Limits()
    /// Connections of all clients together.
    var connectionsMax = 16_384
    /// Connections of one client address (IPv6: /64).
    var connectionsPerAddressMax = 2_000
    /// From the first byte of a head to its end.
    var headSeconds: Int64 = 10
    /// Between two pieces of a body.
    var bodySeconds: Int64 = 10
    /// For the whole body of a request to one of our own endpoints.
    var bodyTotalSeconds: Int64 = 30
    /// Between two requests.
    var idleSeconds: Int64 = 30
    /// Bytes of a body that nobody wants, read so that the connection can be kept.
    var discardedBytesMax = 64 * 1024
    /// How often a connection looks whether it has waited too long.
    static let checkInterval: TimeAmount = .seconds(2)
    /// How long a client may still send after the last answer is out.
    static let lingerTime: TimeAmount = .seconds(1)
    /// How long the last answer may take to go out.
    static let lingerTimeMax: TimeAmount = .seconds(30)
    /// How long a kept connection may still bring a request after SIGTERM.
    static let drainIdle: TimeAmount = .seconds(1)
}
