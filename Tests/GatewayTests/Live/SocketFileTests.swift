import FoundationEssentials
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite(.timeLimit(.minutes(5))) struct SocketFileTests {
    private static let get = "GET / HTTP/1.1\r\nHost: app.example\r\n\r\n"

    /// NIO removes it with its listener.
    private let path = "/tmp/latchkey-\(UUID().uuidString).sock"

    @Test func `an upstream behind a socket file gets requests, and again after it was away`() async throws {
        let upstream = try await RecordingUpstream.start(path: path)
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let client = try await edge.client()
            await client.send(Self.get)
            try await client.waitForAnswers(1)
            #expect(upstream.requests.first?.head.contains("Host: localhost\r\n") == true)
            await upstream.stop()
            await client.send(Self.get)
            try await client.waitForAnswers(2)
            let successor = try await RecordingUpstream.start(path: path)
            try await eventually("the gateway tries again") {
                try await edge.answer(to: "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").contains(" 200 ")
            }
            #expect(client.statuses == ["200", "502"])
            await client.close()
            await successor.stop()
        }
    }

    @Test func `all who wait are answered when the file goes away`() async throws {
        let upstream = try await RecordingUpstream.start(path: path) { _, _ in .nothing }
        var limits = UpstreamLimits()
        limits.connectionsMax = 1
        limits.waitMilliseconds = 60_000
        try await LiveEdge.run(upstreams: [upstream.endpoint], upstreamLimits: limits) { edge in
            var clients: [RawClient] = []
            for _ in 0..<200 { clients.append(try await edge.client()) }
            for client in clients { await client.send(Self.get) }
            try await eventually("each loop has its connection") { upstream.requests.count >= 1 }
            await upstream.stop()
            for client in clients {
                try await client.waitForAnswers(1)
                #expect(client.statuses == ["502"])
                await client.close()
            }
        }
    }
}
