import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// HTTP/1.0, as nginx and HAProxy speak it by default.
@Suite struct OldVersionTests {
    private static let healthPath = Array("/healthz".utf8)

    private func head(_ text: String) throws -> RequestHead {
        try HeadParsing.head(text, hostlessPath: Self.healthPath)
    }

    private func refusal(_ text: String) -> HTTPViolation? {
        let outcome = HeadParsing.whole(Array(text.utf8), hostlessPath: Self.healthPath)
        if case .refused(let violation) = outcome { return violation }
        return nil
    }

    @Test func `a request is read as in 1.1, and its connection closed`() throws {
        let head = try head("POST /a?b HTTP/1.0\r\nHost: a.example\r\nContent-Length: 3\r\n\r\n")
        #expect(!head.isHTTP11 && head.framing == .length(3) && !head.keepsAlive && head.pathText == "/a")
    }

    @Test(arguments: [
        ("GET", "Connection: keep-alive\r\n", true), ("GET", "Connection: Keep-Alive, x\r\n", true),
        ("GET", "Connection: keep-alive, close\r\n", false), ("GET", "Keep-Alive: timeout=5\r\n", false),
        ("POST", "Connection: keep-alive\r\nContent-Length: 0\r\n", true),
        // Its body could be meant to end with the connection.
        ("DELETE", "Connection: keep-alive\r\n", false),
    ])
    func `the connection is kept only if the client says so and the end is known`(
        method: String, fields: String, keeps: Bool
    ) throws {
        #expect(try head("\(method) / HTTP/1.0\r\nHost: a\r\n\(fields)\r\n").keepsAlive == keeps)
    }

    @Test(arguments: [
        ("Transfer-Encoding: chunked\r\n", HTTPViolation.badTransferEncoding),
        ("Transfer-Encoding: identity\r\n", .badTransferEncoding),
        ("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", .ambiguousFraming),
        ("Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n", .badTransferEncoding),
        ("Content-Length: 5\r\nContent-Length: 5\r\n", .badContentLength),
        ("Transfer_Encoding: chunked\r\n", .framingLookalike), ("Host: b\r\n", .badHost), ("Host: a\r\n", .badHost),
    ])
    func `framing that 1.0 does not know, and two hosts, are refused`(fields: String, violation: HTTPViolation) {
        for path in ["/", "/healthz"] {
            #expect(refusal("POST \(path) HTTP/1.0\r\nHost: a\r\n\(fields)\r\n") == violation)
        }
    }

    @Test(arguments: ["POST", "PUT", "PATCH"]) func `a body needs its length`(method: String) throws {
        for fields in ["", "Connection: keep-alive\r\n", "Connection: close\r\n"] {
            #expect(refusal("\(method) / HTTP/1.0\r\nHost: a\r\n\(fields)\r\n") == .badContentLength)
        }
        #expect(try head("\(method) / HTTP/1.0\r\nHost: a\r\nContent-Length: 0\r\n\r\n").framing == .length(0))
        #expect(try head("\(method) / HTTP/1.1\r\nHost: a\r\n\r\n").framing == .none)
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS", "DELETE"]) func `other requests need none`(method: String) throws {
        #expect(try head("\(method) / HTTP/1.0\r\nHost: a\r\n\r\n").framing == .none)
    }

    @Test func `only a health check may lack a host, and only in 1.0`() throws {
        #expect(try head("GET /healthz HTTP/1.0\r\n\r\n").pathText == "/healthz")
        #expect(try head("GET /healthz?x HTTP/1.0\r\n\r\n").pathText == "/healthz")
        for line in ["GET /healthz HTTP/1.1", "GET / HTTP/1.0", "GET /healthz/ HTTP/1.0", "GET /healthzz HTTP/1.0"] {
            #expect(refusal("\(line)\r\n\r\n") == .badHost, "\(line)")
        }
        #expect(refusal("GET /healthz HTTP/1.0\r\nHost:\r\n\r\n") == .badHost)
        #expect(HeadParsing.whole(Array("GET / HTTP/1.0\r\n\r\n".utf8)) == .refused(.badHost), "without a health path")
    }

    @Test func `an expectation is ignored`() throws {
        #expect(
            try !head("POST / HTTP/1.0\r\nHost: a\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n").expectsContinue
        )
    }
}
