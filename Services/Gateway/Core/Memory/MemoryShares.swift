import EdgeHTTP

/// What the gateway's memory is for: a share for connections, one for verified tokens; the rest is the program itself, what
/// is known of revocations and callers, and what the allocator cannot use.
struct MemoryShares: Sendable, Equatable {
    /// Tokens beyond this gain nothing: 150,000 callers within a token's life.
    private static let tokenCacheBytesMax = 64 << 20

    /// For all that connections make the gateway and the kernel hold.
    let connections: Int
    /// For verified tokens.
    let tokenCache: Int

    /// - Parameter bytes: all that the process is given.
    init(of bytes: Int) {
        connections = bytes / 8 * 3
        tokenCache = min(Self.tokenCacheBytesMax, bytes / 8)
    }

    /// How many connections fit; at rest they take three quarters, so that there is room for what they do.
    var connectionsMax: Int { connectionsMax(of: MemoryBudget.connectionBytes) }

    /// How many fit of those that speak TLS.
    var tlsConnectionsMax: Int { connectionsMax(of: MemoryBudget.tlsConnectionBytes) }

    private func connectionsMax(of bytes: Int) -> Int { connections / 4 * 3 / bytes }
}
