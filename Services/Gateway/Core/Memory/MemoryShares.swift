import EdgeHTTP

/// How the gateway's memory is divided: one share for connections and one for verified tokens. The rest is for the program itself,
/// the copies of revocations and limits, and memory that the allocator cannot use.
struct MemoryShares: Sendable, Equatable {
    /// The greatest share of verified tokens. More gains nothing: it suffices for 150,000 callers within a token's life.
    private static let tokenCacheBytesMax = 64 << 20

    /// The share for everything that connections make the gateway and the kernel allocate.
    let connections: Int
    /// The share for verified tokens.
    let tokenCache: Int

    /// - Parameter bytes: all memory that the process is given.
    init(of bytes: Int) {
        connections = bytes / 8 * 3
        tokenCache = min(Self.tokenCacheBytesMax, bytes / 8)
    }

    /// How many connections fit. At rest they take three quarters of the share, which leaves room for their work.
    var connectionsMax: Int { connectionsMax(of: MemoryBudget.connectionBytes) }

    /// How many connections with TLS fit.
    var tlsConnectionsMax: Int { connectionsMax(of: MemoryBudget.tlsConnectionBytes) }

    private func connectionsMax(of bytes: Int) -> Int { connections / 4 * 3 / bytes }
}
