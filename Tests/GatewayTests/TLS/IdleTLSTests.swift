import NIOCore
import TestSupport
import Testing

@testable import EdgeHTTP

/// Connections over TLS that are idle, or whose clients read slowly.
@Suite(.serialized, .timeLimit(.minutes(5))) struct IdleTLSTests {
    private static let count = 40
    /// Each response has 8 kB, and two are sent together.
    private static let paths = (0..<4).map { "/own/\($0)" }
    private static let requests = paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()

    @Test func `a connection counts the same before, between and after large responses`() async throws {
        let budget = MemoryBudget(bytesMax: 64 << 20)
        try await EdgeCertificates.run { certificates in
            try await LiveEdge.run(upstreams: [], budget: budget, certificates: certificates.certificates) { live in
                let address = try #require(live.tlsAddress)
                let tls = try certificates.client()
                var clients: [RawClient] = []
                for _ in 0..<Self.count { clients.append(try await RawClient.connect(to: address, tls: tls)) }
                let fixed = Self.count * MemoryBudget.tlsConnectionBytes
                for round in 1...2 {
                    for client in clients { await client.send(Self.requests) }
                    for client in clients { try await client.waitForAnswers(round * Self.paths.count) }
                    try await eventually("only the fixed bytes are counted") {
                        abs(budget.heldBytes - fixed) <= 2 * MemoryBudget.reportedBytes
                    }
                }
                for client in clients {
                    #expect(Padded.paths(in: client.received) == Self.paths + Self.paths)
                    await client.close()
                }
            }
        }
    }

    @Test func `a client that pauses gets the rest of the response afterwards`() async throws {
        let byteCount = 24 << 20
        try await EdgeCertificates.run { certificates in
            let upstream = try await RecordingUpstream.start { _, _ in .stream(byteCount: byteCount) }
            try await LiveEdge.run(upstreams: [upstream.endpoint], certificates: certificates.certificates) { live in
                let client = try await RawClient.connect(
                    to: try #require(live.tlsAddress), tls: try certificates.client())
                await client.send("GET /own/0 HTTP/1.1\r\nHost: a\r\n\r\n")
                try await client.waitForAnswers(1)
                try await client.setReading(false)
                await client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
                try await Task.sleep(for: .seconds(4))
                #expect(client.receivedCount < byteCount)
                try await client.setReading(true)
                try await eventually("all of it") { client.receivedCount > byteCount }
                await client.close()
            }
            await upstream.stop()
        }
    }
}
