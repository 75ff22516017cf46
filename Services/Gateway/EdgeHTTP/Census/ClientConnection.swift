import NIOCore

/// A client's connection as the census uses it: a TLS handshake, or the connection that serves requests. It is called on its event
/// loop.
protocol ClientConnection: AnyObject {
    var slot: ConnectionSlot { get }
    /// The bytes that it holds, and its position in the loop's list.
    var holdings: ConnectionHoldings { get set }
    /// How readily the connection is closed.
    var rank: ConnectionRank { get }
    /// The bytes that the connection and its request hold themselves.
    var ownBytes: Int { get }
    /// The connection to an upstream; `nil` if there is none.
    var upstreamChannel: (any Channel)? { get }
    /// Whether bytes of the client may wait at the upstream.
    var sendsUpstream: Bool { get }
    /// Closes the connection of a client that is too slow. Called once a second while bytes move or are held.
    func judgeRate()
    /// Closes the connection at once in favour of others, with a 503 if a response is still possible.
    func giveWay()
    /// Finishes the request under way, then ends.
    func drain()
    /// Ends at once, so that the client can tell a truncated response from a whole one.
    func abort()
}
