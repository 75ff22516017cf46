import TestSupport

/// Full handshakes and idle connections at edges over TLS.
struct HandshakeBench: Sendable {
    /// The bound for 10,000 idle connections.
    private static let idleMegabytesMax = 500.0
    /// HAProxy's is judged, in a second of time and in one of CPU.
    private static let bounds = [
        "handshakes.rate": ["haproxy": Figure.Bound.atLeast(0.8)],
        "handshakes.per-core": ["haproxy": .atLeast(0.8)],
    ]
    /// Clients that make one handshake after the other.
    private static let clientCount = 4
    private static let warmUpSeconds = 1
    /// The pause for the allocators after a load.
    private static let idleSeconds = 3

    let rounds: Int
    /// The duration of one edge's load in one round.
    let seconds: Int
    let folder: String

    /// Full handshakes on each edge in turn, in every round.
    func handshakes(_ edges: [EdgeUnderTest]) async throws -> [Figure] {
        for edge in edges { _ = try await round(edge, Self.warmUpSeconds) }
        var measured = EdgeRounds()
        for _ in 0..<rounds {
            for edge in edges { measured.add(try await round(edge, seconds).under("handshakes"), of: edge.name) }
        }
        return measured.figures(Self.bounds)
    }

    private func round(_ edge: EdgeUnderTest, _ seconds: Int) async throws -> [Figure] {
        let (before, start) = (try ProcessTimes(of: edge.process), ContinuousClock.now)
        // No session is kept, so that each is a full one.
        let command = """
            set -o pipefail
            seq \(Self.clientCount) | xargs -P \(Self.clientCount) -I{} setpriv --pdeathsig KILL taskset -c \
            \(GatewayUnderLoad.loadCore) openssl s_time -connect 127.0.0.1:\(edge.port) -new -tls1_3 -time \(seconds) |
                grep -aoE '[0-9]+ connections in [0-9]+ real' | awk '{ sum += $1 } END { print sum }'
            """
        let outcome = try await Shell.run(command, in: folder)
        guard outcome.isSuccess, let last = outcome.output.split(separator: "\n").last, let count = Double(last),
            count > 0
        else { throw UnexpectedReply(description: "handshakes at \(edge.name): \(outcome.output.suffix(300))") }
        let wall = (ContinuousClock.now - start) / .seconds(1)
        let used = try ProcessTimes(of: edge.process).seconds - before.seconds
        return Self.figures(count, seconds: wall, cpuSeconds: used)
    }

    /// One round of an edge. The rate `per-core` is what one core has time for, whatever the load's own core achieves; if
    /// `busy`, the share of its core in use, is much below 1, the load is the limit.
    static func figures(_ count: Double, seconds: Double, cpuSeconds: Double) -> [Figure] {
        [
            Figure("cpu", cpuSeconds * 1_000_000 / count, .microseconds), Figure("rate", count / seconds, .perSecond),
            Figure("per-core", count / cpuSeconds, .perSecond), Figure("busy", cpuSeconds / seconds, .cores),
        ]
    }

    /// Measures the memory of each edge with this many idle connections that have been used once.
    func idle(_ count: Int, _ edges: [EdgeUnderTest], _ token: String) async throws -> [Figure] {
        var figures: [Figure] = []
        for edge in edges {
            let isOwn = edge.name == EdgeRounds.gateway
            figures += try await IdleConnections.run(count, at: edge, token: token) { open in
                try await Task.sleep(for: .seconds(Self.idleSeconds))
                return [
                    Figure("idle.count.\(edge.name)", Double(open()), .count, bound: .atLeast(Double(count))),
                    Figure(
                        "idle.rss.\(edge.name)", try ProcessMemory.resident(edge.process), .megabytes,
                        bound: isOwn ? .atMost(Self.idleMegabytesMax) : nil),
                ]
            }
        }
        return figures
    }
}
