import Testing

@testable import GatewayCore

@Suite struct RequestHeadTests {
    private func parse(_ text: String) throws(HTTPViolation) -> RequestHead {
        try RequestHeadParser.parse(Array(text.utf8), limits: .init())
    }

    private func violation(_ text: String) -> HTTPViolation? {
        do {
            _ = try parse(text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a plain request is understood`() throws {
        let head = try parse(
            "POST /api/a%20b?x=1&y=/? HTTP/1.1\r\nHost: a.example:80\r\nContent-Length: 12\r\nX: \t y \r\n")
        #expect(head.methodText == "POST")
        #expect(head.pathText == "/api/a%20b")
        #expect(head.target.elementsEqual("/api/a%20b?x=1&y=/?".utf8))
        #expect(head.framing == .length(12))
        #expect(head.text("x") == "y")
        #expect(head.keepsAlive)
    }

    @Test(arguments: [
        ("GET /", HTTPViolation.malformedRequestLine), ("GET  / HTTP/1.1", .malformedRequestLine),
        ("GET / HTTP/1.1 ", .malformedRequestLine), (" GET / HTTP/1.1", .malformedRequestLine),
        ("GET\t/ HTTP/1.1", .malformedRequestLine), ("GET / HTTP/2.0", .unsupportedVersion),
        ("GET / HTTP/1.2", .unsupportedVersion), ("GET / http/1.1", .malformedRequestLine),
        ("TRACE / HTTP/1.1", .forbiddenMethod), ("CONNECT / HTTP/1.1", .forbiddenMethod),
        ("BREW / HTTP/1.1", .unknownMethod), ("get / HTTP/1.1", .unknownMethod),
        ("GET http://a.example/ HTTP/1.1", .badTarget), ("OPTIONS * HTTP/1.1", .badTarget),
        ("GET /?a#b HTTP/1.1", .badTarget), ("GET /?\u{e4} HTTP/1.1", .badTarget),
    ])
    func `a request line with another reading is refused`(line: String, expected: HTTPViolation) {
        #expect(violation("\(line)\r\nHost: a\r\n") == expected)
    }

    @Test(arguments: [
        "//", "/a//b", "/.", "/..", "/a/./b", "/a/../b", "/%2e", "/%2E%2e/a", "/a%2fb", "/a%2Fb", "/a%5cb", "/a%00",
        "/a%0d%0a", "/a%7f", "/a;b", "/a%3bb", "/a\\b", "/a%", "/a%2", "/a%zz", "/%61", "/a%25", "/\u{e4}", "/a|b",
        "/a\"b",
        "/a#b", "/a b",
    ])
    func `a path that two servers could read differently is refused`(path: String) {
        #expect(violation("GET \(path) HTTP/1.1\r\nHost: a\r\n") != nil)
    }

    @Test(arguments: ["/", "/a/", "/a/b.c", "/..a", "/a..", "/%20", "/%C3%A4", "/a:b@c!$&'()*+,=~", "/...", "/-_."])
    func `an ordinary path is taken`(path: String) {
        #expect(violation("GET \(path) HTTP/1.1\r\nHost: a\r\n") == nil)
    }

    @Test(arguments: [
        "", "Host: \r\n", "Host: a\r\nHost: a\r\n", "Host: a b\r\n", "Host: a/b\r\n", "Host: a@b\r\n", "Host: a,b\r\n",
        "Host: \(String(repeating: "a", count: 256))\r\n",
    ])
    func `a request names exactly one host`(fields: String) {
        #expect(violation("GET / HTTP/1.1\r\n\(fields)") == .badHost)
    }

    @Test(arguments: [
        ("Content-Length: 1\r\nContent-Length: 1\r\n", HTTPViolation.badContentLength),
        ("Content-Length: 1, 1\r\n", .badContentLength), ("Content-Length: +1\r\n", .badContentLength),
        ("Content-Length: -1\r\n", .badContentLength), ("Content-Length: 0x1\r\n", .badContentLength),
        ("Content-Length: \r\n", .badContentLength), ("Content-Length: 1 1\r\n", .badContentLength),
        ("Content-Length: 9999999999999999999\r\n", .badContentLength),
        ("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", .ambiguousFraming),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", .badTransferEncoding),
        ("Transfer-Encoding: gzip, chunked\r\n", .badTransferEncoding),
        ("Transfer-Encoding: chunked, identity\r\n", .badTransferEncoding),
        ("Transfer-Encoding: xchunked\r\n", .badTransferEncoding), ("Transfer-Encoding: \r\n", .badTransferEncoding),
        ("Transfer-Encoding: \"chunked\"\r\n", .badTransferEncoding),
        ("Transfer-Encoding : chunked\r\n", .malformedHeader),
        (" Transfer-Encoding: chunked\r\n", .foldedHeader), ("X: a\r\n b\r\n", .foldedHeader),
        ("X\r\n", .malformedHeader), (": a\r\n", .malformedHeader), ("X Y: a\r\n", .malformedHeader),
        ("X: a\rb\r\n", .malformedHeader), ("X: a\u{0}b\r\n", .malformedHeader), ("X\u{0}: a\r\n", .malformedHeader),
        ("X: a\u{7f}\r\n", .malformedHeader), ("\u{e4}: a\r\n", .malformedHeader),
        ("Upgrade: h2c\r\nConnection: Upgrade\r\n", .upgradeRefused), ("Expect: 200-ok\r\n", .badExpectation),
    ])
    func `framing and fields with another reading are refused`(fields: String, expected: HTTPViolation) {
        #expect(violation("POST / HTTP/1.1\r\nHost: a\r\n\(fields)") == expected)
    }

    @Test func `old requests end with their connection and know no chunks`() throws {
        #expect(try !parse("GET / HTTP/1.0\r\nHost: a\r\n").keepsAlive)
        #expect(violation("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n") == .badTransferEncoding)
        #expect(try !parse("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n").keepsAlive)
    }

    @Test func `too many fields are refused`() {
        let fields = String(repeating: "X: y\r\n", count: 100)
        #expect(violation("GET / HTTP/1.1\r\nHost: a\r\n\(fields)") == .tooManyHeaders)
    }

    @Test func `no mutation of a request ends the process`() {
        var random = SeededGenerator(seed: 7)
        let request = Array(
            "POST /a/b%20?c=d HTTP/1.1\r\nHost: a:1\r\nContent-Length: 10\r\nConnection: x, close\r\n".utf8)
        var accepted = 0
        for _ in 0..<20_000 {
            var mutated = request
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let position = Int.random(in: 0..<mutated.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: mutated[position] = UInt8.random(in: 0...255, using: &random)
                case 1: mutated.remove(at: position)
                default: mutated.insert(mutated[Int.random(in: 0..<mutated.count, using: &random)], at: position)
                }
            }
            do {
                let head = try RequestHeadParser.parse(mutated, limits: .init())
                accepted += 1
                #expect(!head.target.contains { $0 <= 0x20 || $0 >= 0x7F })
                #expect(head.block.values("host").count == 1)
            } catch {}
        }
        #expect(accepted > 100 && accepted < 15_000)
    }
}

/// The same numbers on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
