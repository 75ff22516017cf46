import FoundationEssentials
import TestSupport

/// The measurements besides requests if the edges use TLS.
extension GatewayBench {
    /// The bound for 10,000 idle connections.
    static let restingMegabytesMax = 500.0
    /// Handshakes that are under way at once.
    private static let laneCount = 32
    private static let handshakeWarmUpSeconds = 1
    /// The pause for the allocators after a load.
    private static let restSeconds = 3

    /// Full handshakes on each edge in turn, in every round.
    func handshakes(_ edges: [EdgeUnderTest], _ certificate: EdgeCertificate, _ folder: String) async throws -> [Figure]
    {
        for edge in edges {
            _ = try await handshakes(edge, certificate, folder, seconds: Self.handshakeWarmUpSeconds)
        }
        var measured = HandshakeRounds()
        for _ in 0..<rounds {
            for edge in edges {
                measured.add(try await handshakes(edge, certificate, folder, seconds: seconds), of: edge.name)
            }
        }
        return measured.figures()
    }

    private func handshakes(
        _ edge: EdgeUnderTest, _ certificate: EdgeCertificate, _ folder: String, seconds: Int
    ) async throws -> HandshakeRounds.Sample {
        let itself = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let before = try ProcessTimes(of: edge.process)
        let command = """
            exec setpriv --pdeathsig KILL taskset -c \(GatewayUnderLoad.loadCore) '\(itself)' handshakes \
            --port \(edge.port) --seconds \(seconds) --lanes \(Self.laneCount) --trust '\(certificate.authority)'
            """
        let outcome = try await Shell.run(command, in: folder)
        guard outcome.isSuccess, let made = HandshakeLoad.Outcome(printed: outcome.output), made.count > 0 else {
            throw UnexpectedReply(description: "handshakes: \(outcome.output.suffix(300))")
        }
        guard made.resumedCount == 0, made.failureCount == 0 else {
            throw UnexpectedReply(
                description: "\(edge.name): \(made.resumedCount) handshakes resumed, \(made.failureCount) failed")
        }
        let used = try ProcessTimes(of: edge.process).seconds - before.seconds
        return HandshakeRounds.Sample(
            cpuMicroseconds: used * 1_000_000 / Double(made.count), perSecond: Double(made.count) / made.seconds,
            p99Milliseconds: made.p99Milliseconds)
    }

    /// Measures the memory of each edge with this many idle connections that have been used once.
    func resting(_ count: Int, _ edges: [EdgeUnderTest], _ token: String) async throws -> [Figure] {
        var figures: [Figure] = []
        for edge in edges {
            let idle = try await IdleConnections.open(count, port: edge.port, tls: edge.tls, token: token)
            try await Task.sleep(for: .seconds(Self.restSeconds))
            let isOwn = edge.name == GatewayRounds.gateway
            figures += [
                Figure(
                    "gateway.tls.idle.count.\(edge.name)", Double(idle.openCount), .count,
                    bound: .atLeast(Double(count))),
                Figure(
                    "gateway.tls.idle.rss.\(edge.name)", try ProcessMemory(of: edge.process).resident, .megabytes,
                    bound: isOwn ? .atMost(Self.restingMegabytesMax) : nil),
            ]
            await idle.close()
        }
        return figures
    }
}
