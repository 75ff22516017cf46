/// Bounds of the connections to one upstream from one event loop.
struct UpstreamLimits: Sendable {
    /// Connections to one address. Clients that send or take a body slowly keep theirs: enough that a thousand of them, which
    /// one address may open, leave room for the others.
    var connectionsMax = 2048
    var idleConnectionsMax = 64
    /// Below the idle time of common servers (Node.js: 5 s), so that a request seldom meets a connection that is just being
    /// closed.
    var idleSeconds: Int64 = 4
    /// How long a connection rests before it is used again while its address is on trial: what comes late comes then.
    var trialRestMilliseconds: Int64 = 1000
    /// What the kernel takes in of an answer that its client takes slowly; left to itself it would be 6 MiB for each.
    var receiveBufferBytes = 256 * 1024
    /// What the kernel takes of a body before the upstream's window has room for it (`TCP_NOTSENT_LOWAT`, tcp(7)).
    var notSentBytesMax = 128 * 1024
    /// Requests that wait for a connection.
    var waitingMax = 1024
    var waitMilliseconds: Int64 = 1000
    var connectMilliseconds: Int64 = 1000
    /// Of TLS, behind the connect.
    var handshakeMilliseconds: Int64 = 2000
    /// Of an answer.
    var headBytesMax = 64 * 1024
    var headFieldsMax = 200
    /// 1xx heads before the answer.
    var interimMax = 8
    /// How long an address that refuses connections is passed over, at first and at most.
    var ejectionMilliseconds: Int64 = 100
    var ejectionMillisecondsMax: Int64 = 5000
    /// How often names are looked up anew.
    var lookupSeconds: Int64 = 5
}
