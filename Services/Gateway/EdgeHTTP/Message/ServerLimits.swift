package import Policies

/// The bounds on the size and duration of clients' requests (security guide L9).
package struct ServerLimits: Sendable {
    var head = HeaderBlock.Limits()
    /// The connections of all clients together. Near the limit each new connection takes the slot of an idle one.
    var connectionsMax = 16_384
    /// The connections of one client IP address (`limitScopes`); more are closed at once.
    var connectionsPerAddressMax = 2_000
    /// Proxies with many clients. Their connections are not counted by IP address, but by the client that a PROXY header announces.
    var sharedPeers: [CIDR] = []
    /// Whether each connection begins with a PROXY protocol header. If so, one that comes from no proxy is closed.
    var expectsProxyHeader = false
    /// The time from the first byte of a head to its end.
    var headSeconds: Int64 = 10
    /// The time between two pieces of a body.
    var bodySeconds: Int64 = 10
    /// The time between two requests, while there are enough slots.
    var idleSeconds: Int64 = 30
    /// The least rate of a body while it is awaited, and of a response while the client does not accept it.
    var bytesPerSecondMin = 128
    /// The time for the whole body of a request to one of our own endpoints.
    var wholeBodySeconds: Int64 = 30
    /// The bytes of an unneeded body that are read so that the connection can be kept.
    var discardedBytesMax = 64 * 1024
    /// After a refusal the rest of a body is read and discarded until its end, since many clients read no response before they have
    /// sent everything. These are the limits: the time in total, the time without a byte, and the number of bytes.
    var absorbSeconds: Int64 = 60
    var absorbSilenceSeconds: Int64 = 5
    var absorbedBytesMax = 64 << 20
    /// If a body's end is unknown or past, a connection that we close is still read for so long, and so many bytes. The client gets
    /// our last response before the reset that unread bytes would cause.
    var lingerSeconds: Int64 = 2
    var lingerBytesMax = 1 << 20
    /// The path of health checks, which need no `Host` in HTTP/1.0; empty if there is none.
    var healthPath: [UInt8] = []
    /// How long a kept connection may still bring a request after SIGTERM.
    var drainIdleSeconds: Int64 = 1
    /// How long requests under way have to end after SIGTERM; below the process's own limit.
    var drainSeconds: Int64 = 8

    /// Whether many clients come from this address.
    package func isShared(_ address: IPAddress) -> Bool { sharedPeers.contains { $0.contains(address) } }
}

extension ServerLimits {
    /// Creates the bounds that a policy states; the others have their defaults.
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
