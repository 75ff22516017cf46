import TestSupport
import Testing

@testable import GatewayCore

@Suite(.timeLimit(.minutes(2))) struct SmugglingTests {
    /// What follows the message that is refused: must be nobody's request.
    private static let hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"

    /// A family of ambiguous messages: name, and the fields or lines that make it.
    private static let families: [(String, String)] = [
        ("CL.TE", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX"),
        ("TE.CL", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n"),
        ("TE.TE", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n"),
        ("CL.CL", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 36\r\n\r\n"),
        ("CL list", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0, 36\r\n\r\n"),
        ("CL sign", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +0\r\n\r\n"),
        ("CL hex", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x0\r\n\r\n"),
        ("CL empty", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n"),
        ("CL overflow", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551616\r\n\r\n"),
        ("CL lookalike", "POST / HTTP/1.1\r\nHost: a\r\nContent_Length: 36\r\n\r\n"),
        ("TE space before colon", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n"),
        ("TE list", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n"),
        ("TE tab", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \u{B}chunked\r\n\r\n0\r\n\r\n"),
        ("TE quoted", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n"),
        ("obs-fold", "POST / HTTP/1.1\r\nHost: a\r\nX: y\r\n Content-Length: 36\r\n\r\n"),
        ("folded TE", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"),
        ("bare LF", "POST / HTTP/1.1\r\nHost: a\nContent-Length: 36\r\n\r\n"),
        ("bare CR", "POST / HTTP/1.1\r\nHost: a\r\nX: y\rContent-Length: 36\r\n\r\n"),
        ("NUL", "POST / HTTP/1.1\r\nHost: a\r\nX: y\u{0}\r\n\r\n"),
        ("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        ("absolute form", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("GET with a body", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 36\r\n\r\n"),
        ("empty first line", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("two requests in one line", "GET / HTTP/1.1 GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("HTTP/1.0 with chunks", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        ("h2c", "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n"),
        ("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    ]

    @Test(arguments: families)
    func `an ambiguous message is answered once with a refusal and reaches nobody`(
        name: String, message: String
    ) async throws {
        let upstream = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let received = try await edge.answer(to: message + Self.hidden)
            #expect(received.components(of: "HTTP/1.1 ") == 1, "\(name): \(received)")
            #expect(received.hasPrefix("HTTP/1.1 4") || received.hasPrefix("HTTP/1.1 50"), "\(name): \(received)")
            #expect(upstream.requests.isEmpty, "\(name)")
            // The victim on another connection gets its own answer.
            let victim = try await edge.answer(to: "GET /victim HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(victim.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(upstream.requests.map(\.head).filter { $0.hasPrefix("GET /victim ") }.count == 1)
        }
        await upstream.stop()
    }

    @Test(arguments: [
        "5;ext=1\r\nhello\r\n0\r\n\r\n", "+5\r\nhello\r\n0\r\n\r\n", "5\r\nhelloGET / HTTP/1.1\r\n",
        "5\nhello\r\n0\r\n\r\n",
    ])
    func `a bad chunk ends the exchange, and nothing behind it is a request`(body: String) async throws {
        let upstream = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let received = try await edge.answer(
                to: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)\(Self.hidden)")
            #expect(received.hasPrefix("HTTP/1.1 400 ") && received.components(of: "HTTP/1.1 ") == 1)
            #expect(upstream.requests.isEmpty)
            try await eventually("the upstream's connection is given up") { upstream.openCount == 0 }
        }
        await upstream.stop()
    }
}
