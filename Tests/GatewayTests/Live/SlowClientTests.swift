import NIOCore
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The short form of `deploy/bench attacks`.
@Suite(.timeLimit(.minutes(5))) struct SlowClientTests {
    private static let slowCount = 200
    private static let othersCount = 100
    private static let starts = [
        "GET /a HTTP/1.1\r\nHost: a\r\nX-Slow: ", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\nx",
    ]

    private func slowClients(of edge: LiveEdge, _ start: String) async throws -> [RawClient] {
        var slow: [RawClient] = []
        for _ in 0..<Self.slowCount {
            let client = try await edge.client()
            await client.send(start)
            slow.append(client)
        }
        return slow
    }

    @Test(arguments: starts) func `clients that are slow hold up nobody`(start: String) async throws {
        let upstream = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let slow = try await slowClients(of: edge, start)
            let other = try await edge.client()
            for number in 1...Self.othersCount {
                await other.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
                try await other.waitForAnswers(number)
            }
            #expect(slow.allSatisfy { !$0.hasEnded && $0.received.isEmpty })
            for client in slow { await client.close() }
        }
        await upstream.stop()
    }

    @Test(arguments: starts) func `clients that are slow are ended when their time is over`(start: String) async throws
    {
        try await LiveEdge.run(upstreams: [], limits: ServerLimits(headSeconds: 1, bodySeconds: 1)) { edge in
            for client in try await slowClients(of: edge, start) {
                try await client.waitForEnd()
                #expect(client.received.hasPrefix("HTTP/1.1 408 "))
            }
        }
    }
}
