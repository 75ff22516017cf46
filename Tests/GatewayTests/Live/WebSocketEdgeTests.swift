import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// WebSockets and live responses through the data path: what is passed on, what is refused, and how they end.
@Suite(.timeLimit(.minutes(5))) struct WebSocketEdgeTests {
    /// Remembers why requests ended, and ends them on demand.
    private final class Watch: LongWatch {
        private struct State {
            var ends: [@Sendable (LongEnding) -> Void] = []
            var endings: [LongEnding] = []
        }

        private let state = Mutex(State())
        let refusal: LongEnding?

        init(refusing refusal: LongEnding? = nil) { self.refusal = refusal }

        func didOpen(end: @escaping @Sendable (LongEnding) -> Void) -> LongEnding? {
            state.withLock { $0.ends.append(end) }
            return refusal
        }

        func didEnd(_ ending: LongEnding) { state.withLock { $0.endings.append(ending) } }

        var openedCount: Int { state.withLock(\.ends.count) }
        var endings: [LongEnding] { state.withLock(\.endings) }
        func end(_ ending: LongEnding) { for end in state.withLock(\.ends) { end(ending) } }
    }

    /// Runs an edge whose requests all open WebSockets.
    private func withSockets(
        _ upstream: WebSocketUpstream, _ watch: Watch = Watch(), idleSeconds: Int64 = 3_600,
        expiresAt: NIODeadline? = nil, totalSeconds: Int64? = nil, upstreamLimits: UpstreamLimits = .untimed,
        budget: MemoryBudget = .unbounded, certificates: TLSCertificates? = nil,
        _ body: (LiveEdge) async throws -> Void
    ) async throws {
        try await LiveEdge.run(
            upstreams: [upstream.endpoint], upstreamLimits: upstreamLimits, budget: budget, totalSeconds: totalSeconds,
            certificates: certificates,
            long: { head throws(HTTPViolation) in
                LongPlan(
                    handshake: try WebSocketHandshake(head), idleSeconds: idleSeconds, expiresAt: expiresAt,
                    watch: watch)
            }, body)
        await upstream.stop()
    }

    private func echoing(_ fields: String = "") async throws -> WebSocketUpstream {
        try await WebSocketUpstream.start { .echo(WebSocketUpstream.accepting($0, fields)) }
    }

    private func opened(_ edge: LiveEdge, adding lines: [String] = []) async throws -> RawClient {
        let client = try await edge.client()
        await client.send(WebSocketHandshakeTests.request(adding: lines))
        try await client.waitForAnswers(1)
        return client
    }

    private func waitFor(_ text: String, at client: RawClient) async throws {
        try await eventually("\(text) in \(client.received.debugDescription)") { client.received.hasSuffix(text) }
    }

    // MARK: - Bytes

    @Test func `bytes go both ways after the 101, whatever they are`() async throws {
        let (upstream, watch) = (try await echoing("Sec-WebSocket-Extensions: permessage-deflate\r\n"), Watch())
        try await withSockets(upstream, watch) { edge in
            let client = try await opened(edge, adding: ["Sec-WebSocket-Protocol: latchkey.bearer.t0ken"])
            let head = client.received
            #expect(client.statuses == ["101"])
            for line in [
                "Sec-WebSocket-Accept: \(WebSocketHandshakeTests.accept)\r\n", "Upgrade: websocket\r\n",
                "Connection: Upgrade\r\n", "Sec-WebSocket-Extensions: permessage-deflate\r\n",
            ] {
                #expect(head.components(of: line) == 1, "\(line)")
            }
            #expect(!head.contains("chunked") && !head.contains("close"))
            // Bytes that would be a request elsewhere.
            for text in ["GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n", "0\r\n\r\n", "\u{0}\u{1}end"] {
                await client.send(text)
                try await waitFor(text, at: client)
            }
            let first = try #require(upstream.state.heads.first)
            #expect(upstream.state.heads.count == 1 && upstream.received.hasPrefix("GET /smuggled"))
            #expect(first.contains("X-User-Id: usr_1\r\n") && !first.contains("t0ken"))
            await client.close()
            try await eventually("the upstream sees the end") { upstream.state.endCount == 1 }
            try await eventually("its end is noted") { watch.endings.count == 1 }
        }
    }

    @Test func `bytes that a client sends ahead of the 101 reach the upstream after it`() async throws {
        let upstream = try await echoing()
        try await withSockets(upstream) { edge in
            let client = try await edge.client()
            await client.send(WebSocketHandshakeTests.request() + "ahead")
            try await waitFor("ahead", at: client)
            #expect(upstream.received == "ahead")
            await client.close()
        }
    }

    @Test func `a slow client stops a fast upstream, and takes no memory`() async throws {
        let upstream = try await WebSocketUpstream.start { .flood(WebSocketUpstream.accepting($0)) }
        let budget = MemoryBudget(bytesMax: 1 << 30)
        try await withSockets(upstream, budget: budget) { edge in
            let client = try await edge.client(reads: false)
            await client.send(WebSocketHandshakeTests.request())
            var sent = -1
            try await eventually("the upstream has to wait", every: .milliseconds(500)) {
                defer { sent = upstream.state.sentCount }
                return sent > 0 && upstream.state.sentCount == sent
            }
            #expect(sent < 32 << 20, "\(sent >> 20) MB on their way")
            #expect(budget.heldBytes < 16 << 20)
            try await client.setReading(true)
            let (before, wanted) = (client.receivedCount, 2 * sent)
            try await eventually("it goes on") { client.receivedCount > before + wanted }
            await client.close()
            try await eventually("the upstream sees the end") { upstream.state.endCount == 1 }
        }
    }

    @Test func `a client that has sent its last byte still gets the upstream's`() async throws {
        let upstream = try await WebSocketUpstream.start { head in
            .echo(WebSocketUpstream.accepting(head))
        }
        let watch = Watch()
        try await withSockets(upstream, watch) { edge in
            let client = try await opened(edge)
            await client.send("last")
            try await waitFor("last", at: client)
            try await client.endSending(after: ByteBuffer())
            try await client.waitForEnd()
            #expect(!client.hasFailed && upstream.received == "last")
            try await eventually("the upstream's end is noted") { watch.endings == [.upstream] }
        }
    }

    @Test func `a slow client that has ended still gets the end of a long last message`() async throws {
        // More than the client's kernel takes meanwhile, so that some of it waits in the gateway when the upstream ends.
        let last = ByteBuffer(string: String(repeating: "x", count: 300_000) + "end")
        let upstream = try await WebSocketUpstream.start { .last(WebSocketUpstream.accepting($0), last) }
        let watch = Watch()
        try await withSockets(upstream, watch) { edge in
            let client = try await opened(edge)
            try await client.setReading(false)
            let head = client.receivedCount
            try await client.endSending(after: ByteBuffer())
            try await eventually("the upstream's end is noted") { watch.endings == [.upstream] }
            try await client.setReading(true)
            try await client.waitForEnd()
            #expect(client.receivedCount == head + last.readableBytes && client.received.hasSuffix("end"))
        }
    }

    @Test func `all bytes of a client that has ended reach an upstream that reads late`() async throws {
        let upstream = try await WebSocketUpstream.start { .wait(WebSocketUpstream.accepting($0)) }
        try await withSockets(upstream) { edge in
            let client = try await opened(edge)
            // More than the buffers on the way to the upstream hold, so that some wait in the gateway, which reads a megabyte ahead
            // at most.
            let count = 900_000
            try await client.endSending(after: ByteBuffer(repeating: UInt8(ascii: "x"), count: count))
            try await Task.sleep(for: .seconds(1))
            #expect(upstream.state.received.readableBytes == 0)
            try await upstream.read()
            try await eventually("all bytes") { upstream.state.received.readableBytes == count }
            try await client.waitForEnd()
        }
    }

    @Test func `the upstream's last bytes arrive before its end`() async throws {
        let upstream = try await WebSocketUpstream.start { .close(WebSocketUpstream.accepting($0) + "goodbye") }
        let watch = Watch()
        try await withSockets(upstream, watch) { edge in
            let client = try await opened(edge)
            try await client.waitForEnd()
            #expect(client.received.hasSuffix("\r\n\r\ngoodbye") && !client.hasFailed)
            #expect(watch.endings == [.upstream])
        }
    }

    @Test func `over TLS bytes go both ways, and the end of each side reaches the other`() async throws {
        let (upstream, watch) = (try await echoing(), Watch())
        try await EdgeCertificates.run { certificates in
            try await withSockets(upstream, watch, certificates: certificates.certificates) { edge in
                let address = try #require(edge.tlsAddress)
                let ends: [@Sendable (RawClient) async -> Void] = [
                    { await $0.close() }, { await $0.reset() }, { _ in await upstream.closeConnections() },
                ]
                for (index, end) in ends.enumerated() {
                    let client = try await RawClient.connect(to: address, tls: try certificates.client())
                    await client.send(WebSocketHandshakeTests.request())
                    try await client.waitForAnswers(1)
                    let text = String(repeating: "x", count: 200_000) + "\(index)"
                    await client.send(text)
                    try await eventually("all bytes") { client.received.hasSuffix(text) }
                    await end(client)
                    try await client.waitForEnd()
                    try await eventually("the upstream's connection ends") { upstream.state.endCount == index + 1 }
                    try await eventually("the end is noted") { watch.endings.count == index + 1 }
                }
            }
        }
    }

    // MARK: - Refusals

    @Test(arguments: [
        "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n",
        "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        "HTTP/1.1 101 X\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
        "HTTP/1.0 101 X\r\n\r\n",
    ])
    func `a 101 that does not accept the handshake is 502, and the upstream's connection ends`(
        _ answer: String
    ) async throws {
        let (upstream, watch) = (try await WebSocketUpstream.start { _ in .echo(answer) }, Watch())
        try await withSockets(upstream, watch) { edge in
            let client = try await opened(edge)
            #expect(client.statuses == ["502"])
            try await eventually("the upstream's connection ends") { upstream.state.endCount == 1 }
            #expect(watch.openedCount == 0)
            await client.close()
        }
    }

    @Test func `a choice of a subprotocol that was not offered is 502`() async throws {
        let upstream = try await echoing("Sec-WebSocket-Protocol: other\r\n")
        try await withSockets(upstream) { edge in
            let client = try await opened(edge, adding: ["Sec-WebSocket-Protocol: chat"])
            #expect(client.statuses == ["502"])
            await client.close()
        }
    }

    @Test func `a 101 that nobody asked for is 502, and what follows it is no response`() async throws {
        let upstream = try await WebSocketUpstream.start {
            .echo(WebSocketUpstream.accepting($0) + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nstray")
        }
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let client = try await edge.client()
            // The offer is not passed on, so the upstream switches without being asked.
            await client.send(WebSocketHandshakeTests.request(adding: ["Sec-WebSocket-Protocol: latchkey.bearer.t"]))
            try await client.waitForAnswers(1)
            #expect(client.statuses == ["502"] && !client.received.contains("stray"))
            let head = try #require(upstream.state.heads.first).lowercased()
            for word in ["upgrade", "websocket", "bearer"] { #expect(!head.contains(word), "\(word)") }
            try await eventually("the upstream's connection ends") { upstream.state.endCount == 1 }
            await client.close()
        }
        await upstream.stop()
    }

    @Test func `an upstream that refuses the handshake is passed on as usual`() async throws {
        let upstream = try await WebSocketUpstream.start { _ in
            .echo("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")
        }
        let watch = Watch()
        try await withSockets(upstream, watch) { edge in
            let client = try await opened(edge)
            try await waitFor("no", at: client)
            #expect(client.statuses == ["403"] && watch.openedCount == 0)
            await client.close()
        }
    }

    @Test func `bytes that follow a refused handshake are the next request, and never the upstream's`() async throws {
        let upstream = try await WebSocketUpstream.start { _ in
            .echo("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno")
        }
        try await withSockets(upstream) { edge in
            let client = try await edge.client()
            // The next request opens no WebSocket.
            await client.send(WebSocketHandshakeTests.request() + "GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            try await client.waitForEnd()
            #expect(client.statuses == ["403", "426"] && upstream.received.isEmpty)
        }
    }

    @Test func `a request that may not begin any more is refused, and the upstream's connection ends`() async throws {
        let (upstream, watch) = (try await echoing(), Watch(refusing: .revoked))
        try await withSockets(upstream, watch) { edge in
            let client = try await opened(edge)
            #expect(client.statuses == ["502"])
            try await eventually("the upstream's connection ends") { upstream.state.endCount == 1 }
            #expect(watch.endings == [.revoked])
            await client.close()
        }
    }

    @Test func `WebSockets leave a part of the upstream's connections to other requests`() async throws {
        let upstream = try await echoing()
        var limits = UpstreamLimits.untimed
        limits.connectionsMax = 4
        // All clients of a loop count together, so there are enough for each.
        try await withSockets(upstream, upstreamLimits: limits) { edge in
            var clients: [RawClient] = []
            for _ in 0..<4 * 64 { clients.append(try await opened(edge)) }
            let statuses = Set(clients.flatMap(\.statuses))
            #expect(statuses == ["101", "503"])
            #expect(clients.count { $0.statuses == ["101"] } <= 3 * System.coreCount)
            for client in clients { await client.close() }
        }
    }

    // MARK: - Ends

    @Test(arguments: [LongEnding.revoked, .policy, .unchecked])
    func `what its watch ends is closed on both sides`(_ ending: LongEnding) async throws {
        let (upstream, watch) = (try await echoing(), Watch())
        try await withSockets(upstream, watch) { edge in
            let client = try await opened(edge)
            watch.end(ending)
            try await client.waitForEnd()
            try await eventually("the upstream's connection ends") { upstream.state.endCount == 1 }
            #expect(watch.endings == [ending])
            watch.end(.revoked)
        }
        #expect(watch.endings == [ending])
    }

    @Test func `silence in both directions ends it`() async throws {
        let (upstream, watch) = (try await echoing(), Watch())
        try await withSockets(upstream, watch, idleSeconds: 1) { edge in
            let client = try await opened(edge)
            try await client.waitForEnd()
            #expect(watch.endings == [.idle])
        }
    }

    @Test func `a token that expires ends it`() async throws {
        let (upstream, watch) = (try await echoing(), Watch())
        try await withSockets(upstream, watch, expiresAt: .now() + .seconds(1), totalSeconds: 3_600) { edge in
            let client = try await opened(edge)
            try await client.waitForEnd()
            #expect(watch.endings == [.expired])
        }
    }

    @Test func `a token that expires before the upstream responds ends it once it is open`() async throws {
        let (upstream, watch) = (try await echoing(), Watch())
        try await withSockets(upstream, watch, expiresAt: .now()) { edge in
            let client = try await edge.client()
            await client.send(WebSocketHandshakeTests.request())
            try await client.waitForEnd()
            // The upstream has not been late.
            #expect(watch.endings == [.expired])
        }
    }

    @Test func `the route's totalSeconds end it`() async throws {
        let (upstream, watch) = (try await echoing(), Watch())
        try await withSockets(upstream, watch, totalSeconds: 1) { edge in
            let client = try await opened(edge)
            try await client.waitForEnd()
            #expect(watch.endings == [.overlong])
        }
    }

    // MARK: - Live responses

    /// Runs an edge whose responses are all live, and whose upstream waits a second at most for others.
    private func withLive(
        _ upstream: WebSocketUpstream, _ watch: Watch, idleSeconds: Int64, _ body: (LiveEdge) async throws -> Void
    ) async throws {
        try await LiveEdge.run(
            upstreams: [upstream.endpoint], timeoutSeconds: 1,
            long: { _ throws(HTTPViolation) in LongPlan(handshake: nil, idleSeconds: idleSeconds, watch: watch) }, body)
        await upstream.stop()
    }

    private static let events = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

    @Test func `a live response outlasts timeoutSeconds, and events arrive as they are sent`() async throws {
        let (upstream, watch) = (try await WebSocketUpstream.start { _ in .echo(Self.events) }, Watch())
        try await withLive(upstream, watch, idleSeconds: 3_600) { edge in
            let client = try await edge.client()
            await client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
            try await client.waitForAnswers(1)
            // Without `live` it would end after a second.
            try await Task.sleep(for: .seconds(2))
            await upstream.send("data: 1\n\n")
            try await eventually("the event") { client.received.contains("data: 1\n\n") }
            #expect(client.statuses == ["200"] && !client.hasEnded)
            watch.end(.revoked)
            try await client.waitForEnd()
            // The last chunk is missing, so that the client sees that this was not the end.
            #expect(!client.received.hasSuffix("0\r\n\r\n") && watch.endings == [.revoked])
            try await eventually("the upstream's connection ends") { upstream.state.endCount == 1 }
        }
    }

    @Test func `a live response that stays silent for idleSeconds ends`() async throws {
        let (upstream, watch) = (try await WebSocketUpstream.start { _ in .echo(Self.events) }, Watch())
        try await withLive(upstream, watch, idleSeconds: 2) { edge in
            let client = try await edge.client()
            await client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
            try await client.waitForEnd()
            #expect(client.statuses == ["200"] && watch.endings == [.idle])
        }
    }

    @Test func `a live response that does not begin is 504 after timeoutSeconds`() async throws {
        let (upstream, watch) = (try await WebSocketUpstream.start { _ in .echo("") }, Watch())
        try await withLive(upstream, watch, idleSeconds: 3_600) { edge in
            let client = try await edge.client()
            await client.send("GET /events HTTP/1.1\r\nHost: a\r\n\r\n")
            try await client.waitForAnswers(1)
            #expect(client.statuses == ["504"] && watch.openedCount == 0)
            await client.close()
        }
    }

    @Test func `a server that stops lets them go on until the end of its drain time`() async throws {
        let (upstream, watch) = (try await echoing(), Watch())
        try await withSockets(upstream, watch) { edge in
            let client = try await opened(edge)
            async let stopped: Void = edge.running.stop(within: .seconds(2))
            await client.send("while it stops")
            try await waitFor("while it stops", at: client)
            try await stopped
            try await client.waitForEnd()
            #expect(watch.endings == [.closed])
        }
    }
}
