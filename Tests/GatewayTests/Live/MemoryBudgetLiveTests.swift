import NIOCore
import ServiceKit
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The budget in a server with real sockets.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MemoryBudgetLiveTests {
    private static let head = "GET / HTTP/1.1\r\nHost: a\r\nX-Filler: "

    @Test func `unfinished heads beyond the budget go with 503, and newcomers are served`() async throws {
        let budget = MemoryBudget(bytesMax: 1 << 20)
        try await LiveEdge.run(upstreams: [], budget: budget) { edge in
            var clients: [RawClient] = []
            for _ in 0..<60 {
                let client = try await edge.client()
                await client.send(Self.head + String(repeating: "x", count: 28_000))
                clients.append(client)
            }
            try await eventually("some have gone, and what is left fits") {
                clients.contains { $0.statuses == ["503"] } && budget.heldBytes <= budget.bytesMax
            }
            let newcomer = try await edge.client()
            await newcomer.send("GET /no HTTP/1.1\r\nHost: a\r\n\r\n")
            try await newcomer.waitForAnswers(1)
            #expect(newcomer.statuses == ["401"])
            for client in clients + [newcomer] { await client.close() }
            try await eventually("nothing is held for connections that are gone") {
                budget.heldBytes < 2 * MemoryBudget.reportedBytes
            }
        }
    }

    @Test func `handshakes over TLS that wait for the client are not the first to go`() async throws {
        let budget = MemoryBudget(bytesMax: 1 << 20)
        try await EdgeCertificates.run { certificates in
            try await LiveEdge.run(upstreams: [], budget: budget, certificates: certificates.certificates) { edge in
                let address = try #require(edge.tlsAddress)
                var waiting: [RawClient] = []
                for _ in 0..<4 {
                    let client = try await RawClient.connect(to: address)
                    await client.send(try ClientHello.usual())
                    try await eventually("the server's part has come") { client.receivedCount > 0 }
                    waiting.append(client)
                }
                var hogs: [RawClient] = []
                for _ in 0..<60 {
                    let client = try await edge.client()
                    await client.send(Self.head + String(repeating: "x", count: 28_000))
                    hogs.append(client)
                }
                try await eventually("some have gone, and what is left fits") {
                    hogs.contains { $0.statuses == ["503"] } && budget.heldBytes <= budget.bytesMax
                }
                #expect(waiting.allSatisfy { !$0.hasEnded })
                for client in waiting + hogs { await client.close() }
            }
        }
    }

    @Test func `a connection at rest holds next to nothing`() async throws {
        let budget = MemoryBudget(bytesMax: 64 << 20)
        try await LiveEdge.run(upstreams: [], budget: budget) { edge in
            var clients: [RawClient] = []
            for _ in 0..<40 {
                let client = try await edge.client()
                await client.send(
                    "GET /no HTTP/1.1\r\nHost: a\r\nX-Filler: \(String(repeating: "x", count: 9_000))\r\n\r\n")
                try await client.waitForAnswers(1)
                clients.append(client)
            }
            try await eventually("each counts its fixed cost alone") {
                budget.heldBytes <= 40 * MemoryBudget.connectionBytes + 2 * MemoryBudget.reportedBytes
            }
            for client in clients { await client.close() }
        }
    }
}
