import NIOCore
import Testing

@testable import GatewayCore

@Suite struct MessageFramingTests {
    /// Feeds a head whole and byte by byte; both must come to the same.
    private func head(_ text: String, bytesMax: Int = 1000) throws -> [UInt8]? {
        var whole = ByteBuffer(string: text)
        var collector = HeadCollector(bytesMax: bytesMax)
        let expected = try collector.next(from: &whole)
        var inPieces = ByteBuffer()
        var second = HeadCollector(bytesMax: bytesMax)
        var found: [UInt8]?
        for byte in text.utf8 where found == nil {
            inPieces.writeInteger(byte)
            found = try second.next(from: &inPieces)
        }
        #expect(found == expected)
        return expected
    }

    @Test func `a head ends at the first empty line`() throws {
        #expect(try head("GET / HTTP/1.1\r\nA: b\r\n\r\nbody") == Array("GET / HTTP/1.1\r\nA: b\r\n".utf8))
        #expect(try head("GET / HTTP/1.1\r\nA: b\r\n") == nil)
        #expect(try head("\r\n") == [])
    }

    @Test(arguments: ["GET / HTTP/1.1\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\n\r\n", "\n", "a\r\n\n"])
    func `a bare line feed is refused`(text: String) {
        #expect(throws: HTTPViolation.bareLineBreak) { try head(text) }
    }

    @Test func `a head beyond the limit is refused before it ends`() {
        #expect(throws: HTTPViolation.headerTooLarge) { try head(String(repeating: "a", count: 1001)) }
    }

    private func decode(_ text: String, _ framing: BodyFraming, pieces: Int) throws(HTTPViolation) -> (String, Bool) {
        var decoder = BodyDecoder(framing)
        var buffer = ByteBuffer()
        var data = ""
        var rest = Array(text.utf8)[...]
        while true {
            switch try decoder.next(from: &buffer) {
            case .data(let piece): data += String(buffer: piece)
            case .end: return (data, true)
            case .needMore:
                guard !rest.isEmpty else { return (data, false) }
                buffer.writeBytes(rest.prefix(pieces))
                rest = rest.dropFirst(pieces)
            }
        }
    }

    @Test(arguments: [1, 2, 3, 1000])
    func `bodies come out whole in whatever pieces they arrive`(pieces: Int) throws {
        #expect(try decode("hello, next", .length(5), pieces: pieces) == ("hello", true))
        #expect(
            try decode("5\r\nhello\r\nA\r\n0123456789\r\n0\r\n\r\n", .chunked, pieces: pieces) == (
                "hello0123456789", true
            ))
        #expect(try decode("0\r\nX: y\r\nZ: y\r\n\r\n", .chunked, pieces: pieces) == ("", true))
        #expect(try decode("5\r\nhel", .chunked, pieces: pieces) == ("hel", false))
        #expect(try decode("abc", .untilClose, pieces: pieces) == ("abc", false))
        #expect(try decode("abc", .none, pieces: pieces) == ("", true))
    }

    @Test(arguments: [
        "\r\n", "g\r\n", "-1\r\n", "+1\r\n", "0x1\r\n", " 1\r\n", "1 \r\n", "1;a=b\r\nx\r\n0\r\n\r\n",
        "5\nhello\r\n0\r\n\r\n",
        "5\r\nhelloX\r\n", "5\r\nhello\n0\r\n\r\n", "FFFFFFFFFFFFFFFF\r\n", "10000000000000000\r\n",
        "0\r\nX: \(String(repeating: "y", count: 9000))\r\n\r\n", "0\r\nX: y\n\r\n",
    ])
    func `chunks in any other spelling are refused`(body: String) {
        for pieces in [1, 7, 100_000] {
            #expect(throws: HTTPViolation.badChunk) { try decode(body, .chunked, pieces: pieces) }
        }
    }

    private func response(_ text: String, isHEAD: Bool = false) throws(HTTPViolation) -> ResponseHead {
        try ResponseHead(Array(text.utf8), limits: .init(), isHEAD: isHEAD)
    }

    @Test func `an answer's framing follows from status, request and fields`() throws {
        #expect(try response("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n").framing == .length(3))
        #expect(try response("HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n").framing == .chunked)
        #expect(try response("HTTP/1.1 200\r\nA: b\r\n").framing == .untilClose)
        #expect(try response("HTTP/1.1 204 No Content\r\nA: b\r\n").framing == .none)
        #expect(try response("HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n").framing == .none)
        #expect(try response("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n", isHEAD: true).framing == .none)
        #expect(try response("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n").keepsAlive)
        #expect(try !response("HTTP/1.0 200 OK\r\nContent-Length: 3\r\n").keepsAlive)
        #expect(try !response("HTTP/1.1 200 OK\r\nA: b\r\n").keepsAlive)
    }

    @Test(arguments: [
        "", "HTTP/1.1", "HTTP/1.1 20\r\nA: b\r\n", "HTTP/1.1 2000\r\nA: b\r\n", "HTTP/2.0 200 OK\r\nA: b\r\n",
        "HTTP/1.1 999 X\r\nA: b\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n",
    ])
    func `an answer with another reading is refused`(text: String) {
        #expect(throws: HTTPViolation.self) { try response(text) }
    }
}
