import NIOCore
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct ResponseHeadTests {
    private func response(_ text: String, isHEAD: Bool = false) throws(HTTPViolation) -> ResponseHead? {
        var parser = ResponseHeadParser(limits: .init())
        var buffer = ByteBuffer(string: text + "\r\n")
        return try parser.next(from: &buffer, isHEAD: isHEAD)
    }

    @Test func `an answer's framing follows from status, request and fields`() throws {
        #expect(try response("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n")?.framing == .length(3))
        #expect(try response("HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n")?.framing == .chunked)
        #expect(try response("HTTP/1.1 200\r\nA: b\r\n")?.framing == .untilClose)
        #expect(try response("HTTP/1.1 204 No Content\r\nA: b\r\n")?.framing == BodyFraming.none)
        #expect(try response("HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n")?.framing == BodyFraming.none)
        #expect(try response("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n", isHEAD: true)?.framing == BodyFraming.none)
    }

    @Test func `a connection is kept only when the answer says where it ends`() throws {
        #expect(try response("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n")?.keepsAlive == true)
        #expect(try response("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n")?.keepsAlive == false)
        #expect(try response("HTTP/1.0 200 OK\r\nContent-Length: 3\r\n")?.keepsAlive == false)
        #expect(try response("HTTP/1.1 200 OK\r\nA: b\r\n")?.keepsAlive == false)
    }

    @Test(arguments: [
        "\r\n", "HTTP/1.1\r\n", "HTTP/1.1 20\r\n", "HTTP/1.1 2000\r\n", "HTTP/2.0 200 OK\r\n", "HTTP/1.1 999 X\r\n",
        "HTTP/1.1 099 X\r\n", "HTTP/1.1  200 OK\r\n", "HTTP/1.1 2x0 OK\r\n", "HTTP/1.1 200OK\r\n",
        "http/1.1 200 OK\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n", "HTTP/1.1 200 OK\r\nX: a\r\n b\r\n",
    ])
    func `an answer with another reading is refused`(text: String) {
        #expect(throws: HTTPViolation.self) { try response(text) }
    }

    @Test(
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_826_154, "Tue, 29 Feb 2000 12:09:14 GMT"), (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"),
        ] as [(Int64, String)])
    func `dates are written as RFC 9110 has them`(second: Int64, text: String) {
        #expect(HTTPDate.text(second) == text)
    }
}
