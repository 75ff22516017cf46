/// The bounds of the connections from one event loop to one upstream.
struct UpstreamLimits: Sendable {
    /// The connections to one address. Clients that send or accept a body slowly keep theirs. The number is high enough that a
    /// thousand of them, which one IP address may open, leave room for the others.
    var connectionsMax = 2048
    var idleConnectionsMax = 64
    /// The idle time in seconds. It is shorter than that of common servers (Node.js: 5 s), so that a request seldom uses a
    /// connection that is just being closed.
    var idleSeconds: Int64 = 4
    /// How long a connection rests before it is used again while its address is on trial. Late bytes arrive in that time.
    var trialRestMilliseconds: Int64 = 1000
    /// The bytes of a response that the kernel accepts while its client reads slowly; the kernel's default would be 6 MiB for each.
    var receiveBufferBytes = 256 * 1024
    /// The bytes of a body that the kernel accepts before the upstream's window has room for them (`TCP_NOTSENT_LOWAT`, tcp(7)).
    var notSentBytesMax = 128 * 1024
    /// The number of requests that wait for a connection.
    var waitingMax = 1024
    var waitMilliseconds: Int64 = 1000
    var connectMilliseconds: Int64 = 1000
    /// The time for the TLS handshake, after the connect.
    var handshakeMilliseconds: Int64 = 2000
    /// The size of a response's head.
    var headBytesMax = 64 * 1024
    var headFieldsMax = 200
    /// The number of 1xx heads before the response.
    var interimMax = 8
    /// How long an address that refuses connections is skipped, at first and at most.
    var ejectionMilliseconds: Int64 = 100
    var ejectionMillisecondsMax: Int64 = 5000
    /// How long an address is skipped after a call of our own had no response.
    var silenceMilliseconds: Int64 = 5000
    /// How long the next call waits for a response there before it is made at another address.
    var silenceTrialMilliseconds: Int64 = 500
    /// How often names are looked up again.
    var lookupSeconds: Int64 = 5
}
