import NIOCore
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite(.timeLimit(.minutes(5))) struct ExchangeTests {
    /// The upstream's reaction to each request.
    private struct Script: Sendable {
        let act: @Sendable (RecordingUpstream.Request, Int) -> RecordingUpstream.Action
    }

    private func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    private func withEdge(
        limits: ServerLimits = .untimed, upstreamLimits: UpstreamLimits = .init(), bodyBytesMax: Int? = nil,
        timeoutSeconds: Int64 = 60,
        script: Script = Script { _, _ in .reply(RecordingUpstream.ok) },
        _ body: (LiveEdge, RecordingUpstream) async throws -> Void
    ) async throws {
        let upstream = try await RecordingUpstream.start(script.act)
        try await LiveEdge.run(
            upstreams: [upstream.endpoint], limits: limits, upstreamLimits: upstreamLimits, bodyBytesMax: bodyBytesMax,
            timeoutSeconds: timeoutSeconds
        ) { edge in try await body(edge, upstream) }
        await upstream.stop()
    }

    @Test func `requests in one write are answered one by one, in order, on one connection`() async throws {
        try await withEdge(
            script: Script { request, _ in
                .reply("HTTP/1.1 200 OK\r\nContent-Length: \(request.line.count)\r\n\r\n\(request.line)")
            }
        ) { edge, upstream in
            let client = try await edge.client()
            await client.send((1...20).map { get("/\($0)") }.joined())
            try await client.waitForAnswers(20)
            try await eventually("the last body") { client.received.hasSuffix("GET /20 HTTP/1.1") }
            #expect(upstream.requests.map(\.line) == (1...20).map { "GET /\($0) HTTP/1.1" })
            #expect(upstream.connectionCount == 1)
            #expect(!client.hasEnded)
            await client.close()
        }
    }

    @Test func `endpoints, answers, refusals and proxied requests share a connection`() async throws {
        try await withEdge { edge, _ in
            let client = try await edge.client()
            await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello" + get("/no"))
            await client.send(
                get("/later") + "POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc" + get("/x"))
            try await client.waitForAnswers(5)
            #expect(client.statuses == ["200", "401", "200", "401", "200"])
            #expect(client.received.contains("hello"))
            #expect(!client.hasEnded)
            await client.close()
        }
    }

    @Test func `a request byte by byte is a request`() async throws {
        try await withEdge { edge, upstream in
            let client = try await edge.client()
            for byte in "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n" {
                await client.send(String(byte))
            }
            try await client.waitForAnswers(1)
            var body = try #require(upstream.requests.first?.body)
            var decoder = BodyDecoder(.chunked)
            var decoded = ""
            while case .data(let data) = try decoder.next(from: &body) { decoded += String(buffer: data) }
            #expect(decoded == "abc" && decoder.isDone && body.readableBytes == 0)
            await client.close()
        }
    }

    @Test func `20 MB stream up and down`() async throws {
        let count = 20 << 20
        try await withEdge(
            script: Script { request, _ in
                request.head.hasPrefix("PUT") ? .reply(RecordingUpstream.ok) : .stream(byteCount: count)
            }
        ) { edge, upstream in
            let client = try await edge.client()
            await client.send("PUT /up HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n")
            await client.send(ByteBuffer(repeating: 0x62, count: count))
            try await client.waitForAnswers(1)
            #expect(upstream.requests.first?.body.readableBytes == count)
            let before = client.receivedCount
            await client.send(get("/down"))
            try await eventually("the whole body") { client.receivedCount > before + count }
            #expect(!client.hasEnded)
            await client.close()
        }
    }

    @Test func `the upstream is not read faster than the client reads`() async throws {
        let count = 64 << 20
        try await withEdge(timeoutSeconds: 60, script: Script { _, _ in .stream(byteCount: count) }) { edge, _ in
            let slow = try await edge.client(reads: false)
            await slow.send(get("/"))
            // Others are served meanwhile.
            let other = try await edge.client()
            await other.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
            try await other.waitForAnswers(1)
            try await slow.setReading(true)
            try await eventually("the whole body") { slow.receivedCount > count }
            await slow.close()
            await other.close()
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nT: x\r\n\r\n", "5\r\nabcde"),
        ("HTTP/1.1 200 OK\r\n\r\nabc", "3\r\nabc"), ("HTTP/1.0 200 OK\r\n\r\nabc", "3\r\nabc"),
    ])
    func `answers without a length go on in chunks`(answer: String, chunk: String) async throws {
        try await withEdge(script: Script { _, _ in .replyThenClose(answer) }) { edge, _ in
            let client = try await edge.client()
            await client.send(get("/"))
            try await eventually("the end of the body") { client.received.hasSuffix("\r\n0\r\n\r\n") }
            #expect(client.received.contains("Transfer-Encoding: chunked\r\n\r\n\(chunk)\r\n"))
            #expect(!client.hasEnded)
            await client.close()
        }
    }

    @Test func `answers that have no body have none`() async throws {
        let answers = [
            "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n",
        ]
        try await withEdge(script: Script { _, index in .reply(answers[index % 3]) }) { edge, upstream in
            let client = try await edge.client()
            await client.send(get("/a") + get("/b") + "HEAD /c HTTP/1.1\r\nHost: a\r\n\r\n")
            try await client.waitForAnswers(3)
            #expect(client.statuses == ["204", "304", "200"])
            #expect(client.received.hasSuffix("Content-Length: 7\r\n\r\n"))
            #expect(upstream.connectionCount == 1)
            await client.close()
        }
    }

    @Test func `interim answers go on, but for the one that the edge gave itself`() async throws {
        let answer =
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + RecordingUpstream.ok
        try await withEdge(script: Script { _, _ in .reply(answer) }) { edge, _ in
            let client = try await edge.client()
            await client.send(get("/"))
            try await client.waitForAnswers(2)
            #expect(client.statuses == ["103", "200"])
            await client.close()
        }
    }

    @Test func `a client that waits is told to go on`() async throws {
        try await withEdge { edge, upstream in
            let client = try await edge.client()
            await client.send("POST /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
            try await client.waitForAnswers(1)
            #expect(client.statuses == ["100"])
            await client.send("abc")
            try await client.waitForAnswers(2)
            #expect(client.statuses == ["100", "200"])
            #expect(upstream.requests.first?.head.contains("Expect") == false)
            await client.close()
        }
    }

    @Test(arguments: ["Content-Length: 2000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n7d0\r\n"])
    func `a body that is too long is 413 and the connection ends`(rest: String) async throws {
        try await withEdge(bodyBytesMax: 1000) { edge, upstream in
            for path in ["/echo", "/proxied"] {
                let body = String(repeating: "a", count: 2000)
                let received = try await edge.answer(to: "POST \(path) HTTP/1.1\r\nHost: a\r\n\(rest)\(body)")
                #expect(received.hasPrefix("HTTP/1.1 413 "), "\(path)")
                #expect(received.contains("\r\nConnection: close\r\n"))
            }
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na", "HTTP/1.1 200 OK\nContent-Length: 1\n\na",
        "HTTP/1.1 20 OK\r\n\r\n", "garbage\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "HTTP/2 200\r\n\r\n",
    ])
    func `an upstream that breaks the rules is 502`(answer: String) async throws {
        try await withEdge(script: Script { _, _ in .reply(answer) }) { edge, upstream in
            let client = try await edge.client()
            await client.send(get("/"))
            try await client.waitForAnswers(1)
            #expect(client.statuses == ["502"])
            try await eventually("the upstream's connection is given up") { upstream.openCount == 0 }
            #expect(!client.hasEnded)
            await client.close()
        }
    }

    @Test func `an answer that breaks off is seen to be broken`() async throws {
        let answers = [
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
        ]
        for answer in answers {
            try await withEdge(script: Script { _, _ in .replyThenClose(answer) }) { edge, _ in
                let received = try await edge.answer(to: get("/"))
                #expect(received.hasPrefix("HTTP/1.1 200 OK"))
                #expect(received.components(of: "HTTP/1.1 ") == 1)
                #expect(!received.hasSuffix("0\r\n\r\n"))
            }
        }
    }

    @Test func `an upstream that says nothing is 504`() async throws {
        try await withEdge(timeoutSeconds: 1, script: Script { _, _ in .nothing }) { edge, upstream in
            let client = try await edge.client()
            await client.send(get("/"))
            try await client.waitForAnswers(1)
            #expect(client.statuses == ["504"])
            try await eventually("the upstream's connection is given up") { upstream.openCount == 0 }
            await client.close()
        }
    }

    @Test func `a client that leaves takes its request with it`() async throws {
        try await withEdge(script: Script { _, _ in .nothing }) { edge, upstream in
            let client = try await edge.client()
            await client.send(get("/"))
            try await eventually("the request has come") { upstream.requests.count == 1 }
            await client.close()
            try await eventually("the upstream's connection is given up") { upstream.openCount == 0 }
        }
    }

    @Test func `a head that does not end is 408, an idle connection just ends`() async throws {
        var limits = ServerLimits()
        limits.headSeconds = 1
        limits.idleSeconds = 1
        limits.bodySeconds = 1
        try await withEdge(limits: limits) { edge, _ in
            let slowHead = try await edge.answer(to: "GET / HTTP/1.1\r\nHost:")
            #expect(slowHead.hasPrefix("HTTP/1.1 408 "))
            let slowBody = try await edge.answer(to: "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na")
            #expect(slowBody.hasPrefix("HTTP/1.1 408 "))
            let idle = try await edge.answer(to: "")
            #expect(idle == "")
        }
    }

    @Test func `at the limit the connection that rests longest makes room for a newcomer`() async throws {
        var limits = ServerLimits.untimed
        limits.connectionsMax = 2
        try await withEdge(limits: limits) { edge, _ in
            let first = try await edge.client()
            try await eventually("one is open") { edge.running.connectionCount == 1 }
            let second = try await edge.client()
            try await eventually("two are open") { edge.running.connectionCount == 2 }
            await second.send(get("/slow"))
            try await eventually("the second is being answered") { edge.gate.waiterCount == 1 }
            let third = try await edge.client()
            await third.send(get("/"))
            try await third.waitForAnswers(1)
            #expect(first.hasEnded && !second.hasEnded)
            edge.gate.open()
            try await second.waitForAnswers(1)
            await second.close()
            await third.close()
        }
    }

    @Test func `a body that is not whole gives its slot back with 503`() async throws {
        var limits = ServerLimits.untimed
        limits.connectionsMax = 2
        try await withEdge(limits: limits) { edge, _ in
            let unfinished = try await [edge.client(), edge.client()]
            for client in unfinished {
                await client.send(
                    "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
                try await client.waitForAnswers(1)
            }
            let newcomer = try await edge.client()
            await newcomer.send(get("/"))
            try await newcomer.waitForAnswers(1)
            #expect(unfinished.count { $0.hasEnded } == 1)
            #expect(unfinished.allSatisfy { !$0.hasEnded || $0.statuses == ["100", "503"] })
            for client in unfinished + [newcomer] { await client.close() }
        }
    }

    @Test func `a stopping server ends no request, and connections after their next answer`() async throws {
        var limits = ServerLimits.untimed
        limits.drainIdleSeconds = 6
        try await withEdge(limits: limits) { edge, _ in
            let busy = try await edge.client()
            let idle = try await edge.client()
            let silent = try await edge.client()
            await busy.send(get("/slow"))
            await idle.send(get("/"))
            try await idle.waitForAnswers(1)
            try await eventually("three are open") { edge.running.connectionCount == 3 }
            async let stopped: Void = edge.running.stop(within: TimeAmount(Patience.limit))
            try await eventually("the listener is closed") {
                do { await (try await edge.client()).close() } catch { return true }
                return false
            }
            await idle.send(get("/"))
            try await idle.waitForAnswers(2)
            edge.gate.open()
            try await stopped
            try await busy.waitForEnd()
            try await idle.waitForEnd()
            try await silent.waitForEnd()
            #expect(busy.statuses == ["200"] && busy.received.hasSuffix("slow"))
            #expect(busy.received.contains("\r\nConnection: close\r\n"))
            #expect(idle.statuses == ["200", "200"])
            #expect(silent.received.isEmpty)
        }
    }
}
