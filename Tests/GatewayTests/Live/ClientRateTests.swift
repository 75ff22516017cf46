import NIOCore
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Clients that drip, beside upstreams that are slow themselves.
@Suite(.timeLimit(.minutes(5))) struct ClientRateTests {
    private static let post = "POST /up HTTP/1.1\r\nHost: a\r\n"
    /// Longer than the window, with a second for the first look and one for the last.
    private static let window = Duration.seconds(RateFloor.windowSeconds + 2)

    /// Sends a byte every tenth of a second, which keeps every deadline between two pieces, until the connection ends.
    private func drip(_ client: RawClient, after start: String, piece: String) async throws {
        await client.send(start)
        let deadline = ContinuousClock.now + Self.window * 2
        while !client.hasEnded, ContinuousClock.now < deadline {
            await client.send(piece)
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    @Test(arguments: [
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n", "x"),
        (post + "Content-Length: 100000\r\n\r\n", "x"),
        (post + "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
    ])
    func `who drips a body is ended after ten seconds`(start: String, piece: String) async throws {
        let upstream = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [upstream.endpoint], limits: ServerLimits()) { edge in
            let client = try await edge.client()
            try await drip(client, after: start, piece: piece)
            #expect(client.received.hasPrefix("HTTP/1.1 408 "))
            try await eventually("the upstream's connection is given up") { upstream.openCount == 0 }
        }
        await upstream.stop()
    }

    @Test func `who takes nothing of a long answer is ended, and who takes it slowly is not`() async throws {
        let upstream = try await RecordingUpstream.start { _, _ in .stream(byteCount: 64 << 20) }
        // Far shorter than the answers take: the upstream is not to blame for its client.
        try await LiveEdge.run(upstreams: [upstream.endpoint], limits: ServerLimits(), timeoutSeconds: 5) { edge in
            let unread = try await edge.client(reads: false)
            await unread.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let slow = try await edge.client(reads: false)
            await slow.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            for _ in 0..<(RateFloor.windowSeconds * 3 / 2) {
                try await slow.setReading(true)
                try await Task.sleep(for: .milliseconds(5))
                try await slow.setReading(false)
                try await Task.sleep(for: .seconds(1))
            }
            try await eventually("one of them is ended") { edge.running.connectionCount == 1 }
            try await slow.setReading(true)
            try await eventually("the whole body") { slow.receivedCount > 64 << 20 }
            await slow.close()
            await unread.close()
        }
        await upstream.stop()
    }

    @Test func `a route may bound the whole`() async throws {
        let upstream = try await RecordingUpstream.start { _, _ in .stream(byteCount: 64 << 20) }
        // Long enough that the answer to the second request has begun, also on a slow machine.
        try await LiveEdge.run(upstreams: [upstream.endpoint], totalSeconds: 5) { edge in
            let client = try await edge.client()
            try await drip(client, after: Self.post + "Content-Length: 100000\r\n\r\n", piece: "x")
            #expect(client.received.hasPrefix("HTTP/1.1 408 "))
            let unread = try await edge.client(reads: false)
            await unread.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            try await eventually("it is proxied") { !upstream.requests.isEmpty }
            // By nothing else, since the edge has no other limit.
            try await eventually("both are ended") { edge.running.connectionCount == 0 }
            await unread.close()
        }
        await upstream.stop()
    }
}
