import NIOCore
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Requests that RFC 9110 and 9112 allow and that are rare, through the edge's whole data path.
@Suite(.timeLimit(.minutes(5))) struct UnusualRequestTests {
    @Test(arguments: [
        ("GET http://a.example/x?y=1 HTTP/1.1\r\nHost: a.example\r\n\r\n", "GET /x?y=1 HTTP/1.1"),
        ("GET http://a.example?y=1 HTTP/1.1\r\nHost: a.example\r\n\r\n", "GET /?y=1 HTTP/1.1"),
        ("GET /x HTTP/1.0\r\nHost: a.example\r\n\r\n", "GET /x HTTP/1.1"),
        ("GET /u/ann%40b.example/[x] HTTP/1.1\r\nHost: a.example\r\n\r\n", "GET /u/ann%40b.example/[x] HTTP/1.1"),
    ])
    func `an upstream gets HTTP/1.1 and origin form`(request: String, line: String) async throws {
        let upstream = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let client = try await edge.client()
            await client.send(request)
            try await client.waitForAnswers(1)
            #expect(client.statuses == ["200"])
            await client.close()
        }
        let head = try #require(upstream.requests.first).head
        #expect(upstream.requests.map(\.line) == [line] && head.contains("\r\nX-Forwarded-Host: a.example\r\n"))
        await upstream.stop()
    }

    @Test(arguments: ["h2c", "websocket", "TLS/1.2"])
    func `an offered upgrade is not passed on, and a body beside it is a body`(protocol name: String) async throws {
        let upstream = try await RecordingUpstream.start()
        let hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let client = try await edge.client()
            await client.send(
                "POST /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: \(name)\r\n"
                    + "HTTP2-Settings: AAMAAABk\r\nContent-Length: \(hidden.utf8.count)\r\n\r\n\(hidden)"
                    + "GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            try await client.waitForAnswers(2)
            await client.close()
        }
        #expect(upstream.requests.map(\.line) == ["POST /x HTTP/1.1", "GET /next HTTP/1.1"])
        let head = try #require(upstream.requests.first).head.lowercased()
        for field in ["upgrade", "http2-settings", "\r\nconnection"] { #expect(!head.contains(field)) }
        await upstream.stop()
    }

    @Test(arguments: ["GET", "OPTIONS"])
    func `an upstream that ignores a body does not take it for a request`(method: String) async throws {
        let upstream = try await BodyIgnoringUpstream.start()
        let hidden = "POST /hidden HTTP/1.1\r\nHost: a\r\nX-User-Id: usr_2\r\n\r\n"
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            for number in 0..<4 {
                let client = try await edge.client()
                // The kept connection of the first is used again for the next.
                await client.send("GET /before\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
                try await client.waitForAnswers(1)
                await client.send(
                    "\(method) /x HTTP/1.1\r\nHost: a\r\nContent-Length: \(hidden.utf8.count)\r\n\r\n\(hidden)")
                try await client.waitForAnswers(2)
                await client.send("GET /after\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
                try await client.waitForAnswers(3)
                #expect(client.statuses == ["200", "200", "200"])
                await client.close()
            }
        }
        #expect(upstream.lines.count == 12 && !upstream.lines.contains { $0.contains("hidden") })
        await upstream.stop()
    }

    @Test func `the connection of an unusual body leaves no port behind`() async throws {
        let upstream = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            for _ in 0..<5 {
                let request = "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx"
                #expect(try await edge.answer(to: request).contains(" 200 "))
            }
            try await eventually("they are closed") { upstream.openCount == 0 }
        }
        #expect(upstream.connectionCount == 5)
        let (host, port) = (try #require(upstream.address.ipAddress), try #require(upstream.address.port))
        #expect(try await Shell.run("ss -Htan state time-wait dst \(host):\(port)", in: "/").output.isEmpty)
        await upstream.stop()
    }

    /// Bodies for an endpoint that takes 1,000 bytes, and for one whose body never comes.
    @Test(arguments: [
        ("Transfer-Encoding: chunked\r\n\r\n3e9\r\n" + String(repeating: "x", count: 1001) + "\r\n0\r\n\r\n", "413", 1),
        ("Transfer-Encoding: chunked\r\n\r\nz\r\n", "400", 1), ("Content-Length: 2\r\n\r\nx", "408", 1),
        // Refused by the head, which is counted where the head is judged.
        ("Content-Length: 1001\r\n\r\n", "413", 0),
        ("Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", "200", 0),
    ])
    func `a body that an endpoint collects and refuses is told once`(
        rest: String, status: String, count: Int
    ) async throws {
        var limits = ServerLimits()
        limits.bodySeconds = 1
        try await LiveEdge.run(upstreams: [], limits: limits) { edge in
            let client = try await edge.client()
            await client.send("POST /echo HTTP/1.1\r\nHost: a\r\n" + rest)
            try await client.waitForAnswers(1)
            #expect(client.statuses == [status])
            try await eventually("it is told") { edge.refusedBodyCount == count }
            await client.close()
        }
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS"])
    func `an endpoint of ours refuses a body of a method without one`(method: String) async throws {
        try await LiveEdge.run(upstreams: []) { edge in
            let answer = try await edge.answer(to: "\(method) /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx")
            #expect(answer.hasPrefix("HTTP/1.1 400 "))
        }
    }

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    private static let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + chunked

    @Test(arguments: [chunked, interim, "HTTP/1.1 200 OK\r\n\r\nhello"])
    func `HTTP 1.0 gets no chunks and no interim answer`(answer: String) async throws {
        let upstream = try await RecordingUpstream.start { _, _ in
            answer.hasSuffix("hello") ? .replyThenClose(answer) : .reply(answer)
        }
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let received = try await edge.answer(to: "GET /x HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n")
            #expect(received.hasPrefix("HTTP/1.1 200 ") && received.hasSuffix("\r\n\r\nhello"))
            #expect(received.contains("\r\nConnection: close\r\n") && !received.contains("Transfer-Encoding"))
        }
        await upstream.stop()
    }

    @Test func `HTTP 1.0 sees that the end of the process has cut its answer`() async throws {
        let upstream = try await RecordingUpstream.start { _, _ in
            .reply("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
        }
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let client = try await edge.client()
            await client.send("GET /x HTTP/1.0\r\nHost: a\r\n\r\n")
            try await eventually("a part has come") { client.received.hasSuffix("hello") }
            try await edge.running.stop(within: .milliseconds(50))
            try await client.waitForEnd()
            #expect(client.hasFailed)
        }
        await upstream.stop()
    }

    @Test func `HTTP 1.0 keeps a connection that it asks to keep`() async throws {
        let upstream = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let client = try await edge.client()
            let lines = ["GET /x", "GET /no"].map { "\($0) HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n" }
            await client.send(lines.joined())
            try await client.waitForAnswers(2)
            #expect(client.received.components(of: "\r\nConnection: keep-alive\r\n") == 2)
            await client.send("GET /no HTTP/1.0\r\nHost: a\r\n\r\n")
            try await client.waitForEnd()
            #expect(client.statuses == ["200", "401", "401"] && client.received.contains("\r\nConnection: close\r\n"))
        }
        await upstream.stop()
    }
}
