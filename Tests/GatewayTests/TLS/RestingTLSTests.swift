import NIOCore
import TestSupport
import Testing

@testable import EdgeHTTP

/// Connections over TLS that rest.
@Suite(.serialized, .timeLimit(.minutes(2))) struct RestingTLSTests {
    private static let count = 40
    /// Each answer has 8 kB, and two go out together.
    private static let paths = (0..<4).map { "/own/\($0)" }
    private static let requests = paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()

    @Test func `a connection that rests gives back what large answers took, and is served again`() async throws {
        let budget = MemoryBudget(bytesMax: 64 << 20)
        try await EdgeCertificates.run { certificates in
            try await LiveEdge.run(upstreams: [], budget: budget, certificates: certificates.certificates) { live in
                let address = try #require(live.tlsAddress)
                let tls = try certificates.client()
                var clients: [RawClient] = []
                for _ in 0..<Self.count { clients.append(try await RawClient.connect(to: address, tls: tls)) }
                let fixed = Self.count * MemoryBudget.tlsConnectionBytes
                for _ in 1...2 {
                    for client in clients { await client.send(Self.requests) }
                    try await eventually("it is counted", every: .milliseconds(1)) {
                        budget.heldBytes > fixed + 3 * MemoryBudget.reportedBytes
                    }
                    try await eventually("it is given back") {
                        abs(budget.heldBytes - fixed) <= 2 * MemoryBudget.reportedBytes
                    }
                }
                for client in clients {
                    try await client.waitForAnswers(2 * Self.paths.count)
                    #expect(Padded.paths(in: client.received) == Self.paths + Self.paths)
                    await client.close()
                }
            }
        }
    }
}
