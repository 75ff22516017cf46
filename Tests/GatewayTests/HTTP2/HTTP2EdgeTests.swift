import NIOCore
import NIOSSL
import TestSupport
import Testing

@testable import EdgeHTTP

/// Requests over HTTP/2, through a server with real sockets and TLS.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HTTP2EdgeTests {
    private func withEdge(
        hosts: [(name: String, hosts: [String])] = [("default", ["localhost", "127.0.0.1"])],
        limits: ServerLimits = .untimed, budget: MemoryBudget = .unbounded,
        act: @escaping @Sendable (RecordingUpstream.Request, Int) -> RecordingUpstream.Action = { _, _ in
            .reply(RecordingUpstream.ok)
        },
        _ body: (HTTP2Edge) async throws -> Void
    ) async throws {
        let upstream = try await RecordingUpstream.start(act)
        try await EdgeCertificates.run(hosts) { certificates in
            try await LiveEdge.run(
                upstreams: [upstream.endpoint], limits: limits, budget: budget, certificates: certificates.certificates
            ) { live in
                try await body(
                    HTTP2Edge(
                        live: live, address: try #require(live.tlsAddress), upstream: upstream,
                        certificates: certificates))
            }
        }
        await upstream.stop()
    }

    // MARK: - Requests

    @Test func `a hundred streams are answered, by the edge and by the upstream`() async throws {
        try await withEdge { edge in
            let client = try await edge.client()
            let paths = (0..<100).map { ["/own/", "/endpoint/", "/proxied/"][$0 % 3] + "\($0)" }
            // The windows for all bodies.
            await client.send(HTTP2Bytes.windowUpdate(0, by: 8 << 20))
            for (index, path) in paths.enumerated() {
                await client.send(HTTP2Bytes.request(UInt32(2 * index + 1), HTTP2Bytes.usual(path)))
            }
            for (index, path) in paths.enumerated() {
                let answer = try await client.end(of: UInt32(2 * index + 1))
                let isProxied = path.hasPrefix("/proxied/")
                #expect(answer.hasEnded && answer.reset == nil && answer.status == (isProxied ? 200 : 404))
                #expect(answer.text == (isProxied ? "ok" : Padded.body(path)))
            }
            #expect(client.state.goAways.isEmpty && client.state.settings[3] == 100)
            await client.close()
        }
    }

    @Test func `connections that stop within a frame give their slots back to those that come`() async throws {
        var limits = ServerLimits.untimed
        limits.connectionsMax = 16
        try await withEdge(limits: limits) { edge in
            var clients: [RawHTTP2Client] = []
            for _ in 0..<14 {
                let client = try await edge.client()
                await client.send([0, 0])
                clients.append(client)
            }
            for _ in 0..<10 {
                let good = try await edge.client()
                #expect(try await good.answer(1, HTTP2Bytes.usual("/own/")).status == 404)
                clients.append(good)
            }
            #expect(clients.prefix(14).contains { $0.hasEnded })
            for client in clients { await client.close() }
        }
    }

    @Test func `the upstream gets one cookie, a framed body, and nothing of HTTP/2`() async throws {
        try await withEdge { edge in
            let client = try await edge.client()
            let fields =
                HTTP2Bytes.usual("/up?q=1", "POST")
                + [("cookie", "a=1"), ("te", "trailers"), ("cookie", "b=2"), ("accept", "*/*")]
            let answer = try await client.answer(1, fields, body: Array("hello".utf8))
            #expect(answer.status == 200 && answer.text == "ok" && answer.field("content-length") == "2")
            let request = try #require(edge.upstream.requests.first)
            #expect(request.line == "POST /up?q=1 HTTP/1.1")
            let lines = request.head.lowercased()
            #expect(lines.components(of: "\r\ncookie: a=1; b=2\r\n") == 1 && lines.components(of: "cookie") == 1)
            #expect(lines.contains("\r\ntransfer-encoding: chunked\r\n") && !lines.contains("\r\nte:"))
            #expect(lines.contains("\r\nx-forwarded-proto: http\r\n") && lines.contains("x-forwarded-host: localhost"))
            #expect(String(buffer: request.body).contains("hello"))
            let head = try await client.answer(3, HTTP2Bytes.usual("/up", "HEAD"))
            #expect(head.status == 200 && head.body.readableBytes == 0 && head.hasEnded)
            await client.close()
        }
    }

    @Test func `a client that waits for 100 gets it, and bodies may come in any pieces`() async throws {
        try await withEdge { edge in
            let client = try await edge.client()
            let fields = HTTP2Bytes.usual("/echo", "POST") + [("expect", "100-continue")]
            await client.send(HTTP2Bytes.request(1, fields, endsStream: false))
            try await eventually("100") { client.stream(1).status == 100 }
            for letter in "abc" { await client.send(HTTP2Bytes.data(1, Array("\(letter)".utf8))) }
            await client.send(HTTP2Bytes.data(1, [], endsStream: true))
            let answer = try await client.end(of: 1)
            #expect(answer.status == 200 && answer.text == "abc")
            let large = try await client.answer(
                3, HTTP2Bytes.usual("/echo", "POST"), body: Array(repeating: 97, count: 2_000))
            #expect(large.status == 413)
            #expect(try await client.answer(5, HTTP2Bytes.usual("/no")).status == 401)
            await client.close()
        }
    }

    @Test func `an upstream's broken response resets its stream only`() async throws {
        let broken = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"
        let act: @Sendable (RecordingUpstream.Request, Int) -> RecordingUpstream.Action = { request, _ in
            request.line.contains("broken") ? .replyThenClose(broken) : .reply(RecordingUpstream.ok)
        }
        try await withEdge(act: act) { edge in
            let client = try await edge.client()
            let answer = try await client.answer(1, HTTP2Bytes.usual("/broken"))
            #expect(answer.reset == 2 && !answer.hasEnded)
            #expect(try await client.answer(3, HTTP2Bytes.usual("/whole")).text == "ok")
            await client.close()
        }
    }

    // MARK: - Rules

    @Test func `no broken rule of fields reaches the upstream, and each has its answer`() async throws {
        try await withEdge { edge in
            for violation in HTTP2Violation.all { try await expectRefusal(of: violation, by: edge) }
            let client = try await edge.client()
            #expect(try await client.answer(1, HTTP2Bytes.usual("/good")).status == 200)
            #expect(edge.upstream.requests.map(\.line) == ["GET /good HTTP/1.1"])
            await client.close()
        }
    }

    /// Without it, nothing would show that an upstream gets such requests if they are not checked.
    @Test func `a stand-in that hands fields on lets most broken rules through`() async throws {
        let upstream = try await RecordingUpstream.start()
        var clients: [RawClient] = []
        for violation in HTTP2Violation.all {
            let client = try await RawClient.connect(to: upstream.address)
            await client.send(violation.handedOn)
            clients.append(client)
        }
        try await eventually("most of them") {
            Set(upstream.requests.map(\.connection)).count >= HTTP2Violation.all.count * 3 / 4
        }
        for client in clients { await client.close() }
        await upstream.stop()
    }

    private func expectRefusal(of violation: HTTP2Violation, by edge: HTTP2Edge) async throws {
        let client = try await edge.client()
        await client.send(HTTP2Bytes.request(1, violation.fields, endsStream: violation.endsStream))
        let answer = try await client.end(of: 1)
        // Some are found by the handler of frames, which resets the stream, or ends the connection.
        let isReset = violation.reason == .badContentLength && answer.reset == 1
        let hasEnded = violation.name == "empty name" && client.state.goAways.contains { $0.code != 0 }
        #expect(isReset || hasEnded || answer.status == violation.reason.status, "\(violation) \(answer)")
        await client.close()
    }

    @Test(arguments: FrameViolation.all)
    func `no broken rule of frames reaches the upstream as a whole request`(violation: FrameViolation) async throws {
        try await withEdge { edge in
            let client = try await edge.client()
            await client.send(violation.bytes)
            try await eventually("an answer to \(violation)") {
                let state = client.state
                return state.streams.values.contains { $0.reset != nil || $0.status == 400 }
                    || state.goAways.contains { $0.code != 0 } || state.hasEnded
            }
            let other = try await edge.client()
            #expect(try await other.answer(1, HTTP2Bytes.usual("/good")).status == 200)
            #expect(edge.upstream.requests.map(\.line) == ["GET /good HTTP/1.1"])
            await other.close()
            await client.close()
        }
    }

    @Test func `a request that is refused before its turn is not decided`() async throws {
        try await withEdge { edge in
            let client = try await edge.client()
            let trailers = HTTP2Bytes.frame(.headers, flags: 5, stream: 1, HTTP2Bytes.block([(":path", "/b")]))
            await client.send(HTTP2Bytes.request(1, HTTP2Bytes.usual("/a", "POST"), endsStream: false) + trailers)
            #expect(try await client.end(of: 1).status == 400)
            #expect(edge.live.begunCount == 0 && edge.upstream.requests.isEmpty)
            await client.close()
        }
    }

    @Test func `a host that the certificate does not cover is 421`() async throws {
        let hosts = [(name: "a", hosts: ["a.example", "*.c.example"]), (name: "b", hosts: ["b.example"])]
        try await withEdge(hosts: hosts) { edge in
            let rows = [("a.example", "x.c.example", "b.example"), ("b.example", "b.example", "a.example")]
            for (name, own, other) in rows {
                let client = try await edge.client(name: name)
                #expect(try await client.answer(1, HTTP2Bytes.usual("/no", authority: name)).status == 401)
                #expect(try await client.answer(3, HTTP2Bytes.usual("/no", authority: own + ":8443")).status == 401)
                #expect(try await client.answer(5, HTTP2Bytes.usual("/no", authority: other)).status == 421)
                #expect(try await client.answer(7, HTTP2Bytes.usual("/no", authority: name)).status == 401)
                await client.close()
            }
            #expect(edge.upstream.requests.isEmpty)
        }
    }

    @Test func `who does not choose HTTP/2 gets HTTP/1.1, and plain text is never HTTP/2`() async throws {
        try await withEdge { edge in
            let client = try await RawClient.connect(
                to: edge.address,
                tls: try edge.certificates.client("localhost") { $0.applicationProtocols = ["http/1.1"] })
            await client.send("GET /no HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await client.waitForAnswers(1)
            await client.close()
            let plain = try await edge.live.client()
            await plain.send(HTTP2Bytes.preface)
            try await plain.waitForEnd()
            #expect(plain.received.hasPrefix("HTTP/1.1 505 ") || plain.received.hasPrefix("HTTP/1.1 400 "))
            let upgrade = try await edge.live.answer(
                to: "GET /no HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
                    + "Connection: Upgrade, HTTP2-Settings, close\r\n\r\n")
            #expect(upgrade.hasPrefix("HTTP/1.1 401 "))
            try edge.certificates.certificates.replace(with: edge.certificates.pairs, http2: false)
            let old = try await RawClient.connect(
                to: edge.address,
                tls: try edge.certificates.client("localhost") { $0.applicationProtocols = ["h2", "http/1.1"] })
            await old.send("GET /no HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await old.waitForAnswers(1)
            await old.close()
        }
    }

    // MARK: - Flow control

    @Test func `a response waits at the upstream while the client opens no window`() async throws {
        let size = 8 << 20
        let budget = MemoryBudget(bytesMax: 1 << 30)
        let act: @Sendable (RecordingUpstream.Request, Int) -> RecordingUpstream.Action = { _, _ in
            .stream(byteCount: size)
        }
        try await withEdge(budget: budget, act: act) { edge in
            let client = try await edge.client()
            await client.send(HTTP2Bytes.request(1, HTTP2Bytes.usual("/large")))
            try await eventually("the first window") { client.stream(1).body.readableBytes == 65_535 }
            try await Task.sleep(for: .milliseconds(300))
            #expect(client.stream(1).body.readableBytes == 65_535)
            #expect(budget.heldBytes < 2 << 20)
            // Another response is not held up: the window of the connection is open again.
            await client.send(HTTP2Bytes.windowUpdate(0, by: 1 << 20))
            #expect(try await client.answer(3, HTTP2Bytes.usual("/own/3")).text == Padded.body("/own/3"))
            await client.send(HTTP2Bytes.windowUpdate(0, by: 16 << 20) + HTTP2Bytes.windowUpdate(1, by: 16 << 20))
            #expect(try await client.end(of: 1).body.readableBytes == size)
            await client.close()
        }
    }

    @Test func `requests that wait for the client's windows begin once it opens them`() async throws {
        let size = 1 << 20
        let act: @Sendable (RecordingUpstream.Request, Int) -> RecordingUpstream.Action = { _, _ in
            .stream(byteCount: size)
        }
        try await withEdge(act: act) { edge in
            let client = try await edge.client()
            let ids = (0..<12).map { UInt32(2 * $0 + 1) }
            for id in ids[..<8] { await client.send(HTTP2Bytes.request(id, HTTP2Bytes.usual("/large"))) }
            try await eventually("the window for all") {
                ids.reduce(0) { $0 + client.stream($1).body.readableBytes } == 65_535
            }
            try await Task.sleep(for: .milliseconds(300))
            for id in ids[8...] { await client.send(HTTP2Bytes.request(id, HTTP2Bytes.usual("/large"))) }
            try await Task.sleep(for: .milliseconds(300))
            #expect(edge.live.begunCount == 8)
            // The frame that opens the windows arrives behind the requests that wait for them.
            await client.send(HTTP2Bytes.windowUpdate(0, by: 64 << 20))
            for id in ids { await client.send(HTTP2Bytes.windowUpdate(id, by: 4 << 20)) }
            for id in ids { #expect(try await client.end(of: id).body.readableBytes == size) }
            await client.close()
        }
    }

    @Test func `a client that takes no response loses its stream, even a refused one`() async throws {
        var limits = ServerLimits.untimed
        limits.bytesPerSecondMin = 128
        try await withEdge(limits: limits) { edge in
            // No stream has a window at first.
            let client = try await edge.client(settings: [(4, 0)])
            await client.send(HTTP2Bytes.request(1, HTTP2Bytes.usual("/no")))
            await client.send(HTTP2Bytes.request(3, HTTP2Bytes.usual("/a;b")))
            for id in [UInt32(1), 3] {
                let answer = try await client.end(of: id)
                #expect(answer.status == (id == 1 ? 401 : 400) && answer.reset == 8 && answer.text.isEmpty)
            }
            await client.close()
        }
    }

    @Test func `a table of fields that is too large ends the connection`() async throws {
        try await withEdge { edge in
            let usual = try await edge.client(settings: [(1, 65_536)])
            #expect(try await usual.answer(1, HTTP2Bytes.usual("/no")).status == 401)
            await usual.close()
            let greedy = try await edge.client(settings: [(1, .max)])
            try await greedy.waitForEnd()
            #expect(greedy.state.goAways.last?.code == 11)
        }
    }

    @Test func `an upload is not read ahead of the upstream, and other streams go on`() async throws {
        try await EdgeCertificates.run { certificates in
            // An upstream that accepts connections and reads nothing.
            let listener = try await SilentListener.start()
            try await LiveEdge.run(upstreams: [listener.endpoint], certificates: certificates.certificates) { live in
                let client = try await RawHTTP2Client.connect(
                    to: try #require(live.tlsAddress), authority: certificates.authority)
                await client.send(HTTP2Bytes.request(1, HTTP2Bytes.usual("/up", "POST"), endsStream: false))
                let piece = Array(repeating: UInt8(97), count: 16_000)
                // The client may send no more than its windows allow.
                var (sent, window) = (0, 65_535)
                while sent < 64 << 20 {
                    let granted = min(Int(client.stream(1).increments), Int(client.stream(0).increments)) + window
                    guard sent + piece.count <= granted else {
                        try await Task.sleep(for: .milliseconds(100))
                        let now = min(Int(client.stream(1).increments), Int(client.stream(0).increments)) + window
                        if now == granted { break }
                        continue
                    }
                    await client.send(HTTP2Bytes.data(1, piece))
                    sent += piece.count
                }
                window = sent
                // The upstream's kernel takes some megabytes, and the edge a window.
                #expect(window < 32 << 20)
                #expect(try await client.answer(3, HTTP2Bytes.usual("/no")).status == 401)
                await client.close()
            }
            try await listener.stop()
        }
    }

    // MARK: - Floods

    @Test(arguments: Flood.allCases)
    func `a flood ends its own connection, and others are answered`(flood: Flood) async throws {
        try await withEdge { edge in
            let attacker = try await edge.client()
            let other = try await edge.client()
            // The acknowledgement of settings must not come within a head.
            try await eventually("the settings") { !attacker.state.settings.isEmpty }
            async let sent: Void = {
                for piece in flood.pieces where !attacker.hasEnded { await attacker.send(piece) }
            }()
            for round in UInt32(0)..<20 {
                #expect(try await other.answer(2 * round + 1, HTTP2Bytes.usual("/no")).status == 401)
            }
            await sent
            try await attacker.waitForEnd()
            #expect(attacker.state.goAways.last?.code == flood.code, "\(attacker.state.goAways)")
            #expect(try await other.answer(101, HTTP2Bytes.usual("/no")).status == 401)
            // Only few of them reached the upstream.
            #expect(edge.upstream.requests.count <= 1_000)
            await other.close()
        }
    }

    // MARK: - The end

    @Test func `a stop finishes requests under way and those on their way, and tells it`() async throws {
        try await withEdge { edge in
            let client = try await edge.client()
            await client.send(HTTP2Bytes.request(1, HTTP2Bytes.usual("/slow")))
            try await eventually("it waits") { edge.live.gate.waiterCount == 1 }
            async let stopped: Void = edge.live.running.stop(within: .seconds(30))
            try await eventually("the announcement") { client.state.goAways.count == 1 }
            #expect(client.state.goAways[0].last == 0x7FFF_FFFF && client.state.goAways[0].code == 0)
            #expect(try await client.answer(3, HTTP2Bytes.usual("/no")).status == 401)
            try await eventually("the last word") { client.state.goAways.count == 2 }
            #expect(client.state.goAways[1].last == 3 && client.state.goAways[1].code == 0)
            edge.live.gate.open()
            let slow = try await client.end(of: 1)
            #expect(slow.text == "slow", "\(slow)")
            try await client.waitForEnd()
            try await stopped
        }
    }

    @Test func `an idle connection is told, and closed`() async throws {
        try await withEdge(limits: ServerLimits(idleSeconds: 1)) { edge in
            let client = try await edge.client()
            let answer = try await client.answer(1, HTTP2Bytes.usual("/no"))
            #expect(answer.status == 401, "\(answer) \(client.state)")
            try await client.waitForEnd()
            #expect(client.state.goAways.allSatisfy { $0.code == 0 } && client.state.goAways.count == 2)
        }
    }

    @Test(arguments: [
        Array(HTTP2Bytes.request(3, HTTP2Bytes.usual("/no")).prefix(3)),
        Array(HTTP2Bytes.request(3, HTTP2Bytes.usual("/no")).prefix(20)),
        // The fields go on in CONTINUATION, which does not come.
        HTTP2Bytes.frame(.headers, flags: HTTP2Bytes.endStream, stream: 3, HTTP2Bytes.block(HTTP2Bytes.usual("/no"))),
    ])
    func `a head that does not end is not waited for`(begun: [UInt8]) async throws {
        var limits = ServerLimits.untimed
        limits.headSeconds = 1
        try await withEdge(limits: limits) { edge in
            let client = try await edge.client()
            // By then the client has acknowledged the settings, which it must not do within a head.
            _ = try await client.answer(1, HTTP2Bytes.usual("/no"))
            // A whole frame comes first, in the same read.
            let ping = HTTP2Bytes.frame(.ping, [UInt8](repeating: 0, count: 8))
            await client.send(ping + begun)
            try await client.waitForEnd()
            #expect(client.state.goAways.last?.code == 11 && edge.live.begunCount == 1, "\(client.state)")
        }
    }
}

/// An edge with TLS, and its surroundings.
struct HTTP2Edge: Sendable {
    let live: LiveEdge
    let address: SocketAddress
    let upstream: RecordingUpstream
    let certificates: EdgeCertificates

    func client(
        name: String? = "localhost", settings: [(UInt16, UInt32)] = []
    ) async throws -> RawHTTP2Client {
        try await RawHTTP2Client.connect(
            to: address, authority: certificates.authority, name: name, settings: settings)
    }
}
