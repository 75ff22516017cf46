/// What the gateway's memory is for: a share for connections, one for verified tokens; the rest is the program itself, what
/// is known of revocations and callers, and what the allocator cannot use.
struct MemoryShares: Sendable, Equatable {
    /// What an open connection costs at rest, about: its channel, handler, timer, places in tables, a first receive buffer
    /// (an estimate; `deploy/bench edge-memory` shows what it comes to).
    static let connectionBytes = 6 * 1024
    /// Tokens beyond this gain nothing: 150,000 callers within a token's life.
    private static let tokenCacheBytesMax = 64 << 20

    /// For all that connections make the gateway and the kernel hold.
    let connections: Int
    /// For verified tokens.
    let tokenCache: Int

    /// - Parameter bytes: all that the process is given.
    init(of bytes: Int) {
        connections = bytes / 5 * 2
        tokenCache = min(Self.tokenCacheBytesMax, bytes / 8)
    }

    /// How many connections at rest fit.
    var connectionsMax: Int { connections / Self.connectionBytes }
}
