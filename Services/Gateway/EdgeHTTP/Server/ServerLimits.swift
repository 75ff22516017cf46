package import Policies

/// Bounds on what clients may send, and for how long (security guide L9).
package struct ServerLimits: Sendable {
    var head = HeaderBlock.Limits()
    /// Connections of all clients together; near the limit each newcomer takes the slot of one that rests.
    var connectionsMax = 16_384
    /// Connections of one client address (`limitScopes`); more are closed at once.
    var connectionsPerAddressMax = 2_000
    /// Proxies, behind each of which there are many clients: their connections are not counted by address, but by the client
    /// that a PROXY header announces.
    var sharedPeers: [CIDR] = []
    /// Whether each connection begins with a PROXY protocol header; then one that comes from no proxy is closed.
    var expectsProxyHeader = false
    /// From the first byte of a head to its end.
    var headSeconds: Int64 = 10
    /// Between two pieces of a body.
    var bodySeconds: Int64 = 10
    /// Between two requests, while there is no lack of slots.
    var idleSeconds: Int64 = 30
    /// Of a body while it is waited for, and of an answer while the client does not take it.
    var bytesPerSecondMin = 128
    /// For the whole body of a request to one of our own endpoints.
    var wholeBodySeconds: Int64 = 30
    /// Bytes of a body that nobody wants, read so that the connection can be kept.
    var discardedBytesMax = 64 * 1024
    /// After a refusal the rest of a body is read and discarded until its end, since many clients read no response before
    /// they have sent all: for so long in all, without a byte, and so much.
    var absorbSeconds: Int64 = 60
    var absorbSilenceSeconds: Int64 = 5
    var absorbedBytesMax = 64 << 20
    /// Where no end of a body is known or left, a connection that we close is read on for so long, and so much, so that the
    /// client gets our last response before the reset that unread bytes would cause.
    var lingerSeconds: Int64 = 2
    var lingerBytesMax = 1 << 20
    /// The path of health checks, which need no `Host` in HTTP/1.0; empty if there is none.
    var healthPath: [UInt8] = []
    /// How long a kept connection may still bring a request after SIGTERM.
    var drainIdleSeconds: Int64 = 1
    /// How long requests under way have to end after SIGTERM; below the process's own limit.
    var drainSeconds: Int64 = 8

    /// Whether many clients come from this address.
    func isShared(_ address: IPAddress) -> Bool { sharedPeers.contains { $0.contains(address) } }
}

extension ServerLimits {
    /// The bounds that a policy states; the others are as usual.
    package init(
        head: HeaderBlock.Limits, connectionsMax: Int, connectionsPerAddressMax: Int, sharedPeers: [CIDR],
        expectsProxyHeader: Bool, headSeconds: Int64, bodySeconds: Int64, idleSeconds: Int64, bytesPerSecondMin: Int,
        healthPath: [UInt8]
    ) {
        self.init()
        self.head = head
        self.connectionsMax = connectionsMax
        self.connectionsPerAddressMax = connectionsPerAddressMax
        self.sharedPeers = sharedPeers
        self.expectsProxyHeader = expectsProxyHeader
        self.headSeconds = headSeconds
        self.bodySeconds = bodySeconds
        self.idleSeconds = idleSeconds
        self.bytesPerSecondMin = bytesPerSecondMin
        self.healthPath = healthPath
    }
}
