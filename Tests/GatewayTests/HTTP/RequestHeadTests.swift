import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct RequestHeadTests {
    private func outcome(_ text: String) -> HeadParsing.Outcome { HeadParsing.whole(Array(text.utf8)) }

    private func refusal(_ text: String) -> HTTPViolation? {
        if case .refused(let violation) = outcome(text) { violation } else { nil }
    }

    private func isAccepted(_ text: String) -> Bool {
        if case .head = outcome(text) { true } else { false }
    }

    @Test func `a plain request is read as it stands`() throws {
        let head = try HeadParsing.head(
            "POST /api/a%20b/?x=1&y=%7B HTTP/1.1\r\nHost: a.example:8080\r\nContent-Length: 12\r\nX-A:  b \t\r\n\r\n")
        #expect(head.method == .post)
        #expect(head.pathText == "/api/a%20b/")
        #expect(String(decoding: head.target, as: UTF8.self) == "/api/a%20b/?x=1&y=%7B")
        #expect(head.framing == .length(12))
        #expect(head.text("x-a") == "b")
        #expect(head.keepsAlive)
        #expect(!head.isSafeToRepeat)
    }

    @Test(arguments: [
        "GET  / HTTP/1.1", "GET /", "GET / ", " GET / HTTP/1.1", "GET\t/ HTTP/1.1", "GET / HTTP/1.1 ", "GET / http/1.1",
        "GET / HTTP/1.1x", "GET / FTP/1.1", "", "GET", "G(T / HTTP/1.1", "GET / HTTP/11", "GET / HTTP/x.1",
        "/ HTTP/1.1",
        "GET / x HTTP/1.1", "GET /\u{0} HTTP/1.1", "GET /\u{1B} HTTP/1.1", "\u{16}\u{3}\u{1}", "GET / HTTP/\u{7F}",
    ])
    func `a malformed request line is refused`(line: String) {
        #expect(refusal("\(line)\r\nHost: a\r\n\r\n") == .malformedStartLine)
    }

    @Test(arguments: ["HTTP/2.0", "HTTP/0.9", "HTTP/1.2", "HTTP/3.0", "HTTP/1.9", "HTTP/0.0"])
    func `other versions are 505`(version: String) {
        #expect(refusal("GET / \(version)\r\nHost: a\r\n\r\n") == .unsupportedVersion)
        #expect(HTTPViolation.unsupportedVersion.status == 505)
    }

    @Test(arguments: HTTPMethod.allCases) func `the methods that we know pass`(method: HTTPMethod) {
        #expect(isAccepted("\(method.rawValue) / HTTP/1.1\r\nHost: a\r\n\r\n"))
    }

    @Test(arguments: ["get", "Get", "PURGE", "PRI", "POSTS", "GE", "PROPFIND", "X"])
    func `unknown methods are 501`(method: String) {
        #expect(refusal("\(method) / HTTP/1.1\r\nHost: a\r\n\r\n") == .unknownMethod)
    }

    @Test(arguments: ["TRACE", "CONNECT"]) func `TRACE and CONNECT are 405`(method: String) {
        #expect(refusal("\(method) / HTTP/1.1\r\nHost: a\r\n\r\n") == .forbiddenMethod)
    }

    @Test(arguments: [
        "*", "a", "a.example:80", "?x", "/a?b#c", "/a?\"", "/a?<x>", "/a?b\\c", "/a?%00", "/a?x=%%00", "/a?é",
        "ftp://a/",
        "ws://a/", "http:/a", "http:a", "http://", "http:///", "http://?x", "http://:80/", "http://u@a/",
        "http://u:p@a/",
        "http://@a/", "http://a:99999/", "http://a:x/", "http://[::1/", "http://a#x", "http://a?x#y", "http://a?%00",
        "http://a\\b/",
    ])
    func `other targets than a path or an http URL are refused`(target: String) {
        #expect(refusal("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n") == .badTarget)
    }

    @Test(arguments: [
        "/%2e", "/%2E%2e/", "/a/%2e%2E/b", "/.%2e/", "/..", "/../", "/a/..", "/a/../b", "/.", "/./", "/a/./b", "//",
        "//a",
        "/a//b", "/a//", "/a%2fb", "/a%2Fb", "/a%5cb", "/a%5Cb", "/a\\b", "/a%00b", "/a%0d%0ab", "/a%0Ab", "/a%7f",
        "/a;x", "/%2E.", "/%2e%2E", "/a/%2e/b", "/a/.%2E", "http://a//b", "http://a/..", "http://a/%2e%2e/b",
        "http://a/b;c", "http://a/%2Fb",
        "/a;x=1/b", "/;", "/a%3bx", "/a#b", "/é", "/%c3\u{A9}", "/%", "/a%", "/a%2", "/a%zz", "/a%2gb", "/a%-1",
        "/a%25b", "/%252e%252e/", "/a%252fb", "/a%3Bx", "/a%1fb", "/a%09b", "/x/%c0%ae%c0%ae/admin",
        "/%c0%af", "/%e0%80%ae", "/a%ff", "/%ed%a0%80", "/%f5%80%80%80", "/%e2%82", "/%e2%82/%ac", "/%e2%82a", "/%ac",
        "/a\"b", "/<a>", "/a`b",
    ])
    func `paths with two readings are refused`(path: String) {
        #expect(refusal("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n") == .ambiguousPath)
    }

    @Test(arguments: [
        "/", "/a", "/a/", "/a.b/c..d/...", "/.well-known/jwks.json", "/~u", "/a%20b", "/%E2%82%AC",
        "/%c3%a9/%F0%9F%98%80", "/a%22",
        "/a,b(c)!$&'*+=:@",
        "/?", "/?a=b", "/a?b=%2e%2e%2f&c[]=1&d={x}|^`", "/a?//..;x", "/a?b=c?d",
        // An address after encodeURIComponent, characters that browsers send raw, and escapes that nothing needs.
        "/users/ann%40example.com", "/a%3A%2a%2C", "/%61dmin", "/%41", "/%7euser", "/%2D", "/a%2Eb", "/a%2e%2e%2eb",
        "/%2e%2e%2e", "/[a]", "/a|b", "/a^b", "/{a}", "/%7B%5B%7C", "/a%3Fb%23c", "/100%24", "/a?%", "/a?%0", "/a?%0g",
        "/a?100%&b=%zz",
    ])
    func `paths of one reading pass as they are`(target: String) throws {
        let head = try HeadParsing.head("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(String(decoding: head.target, as: UTF8.self) == target)
        #expect(head.pathText == String(target.prefix { $0 != "?" }))
    }

    @Test func `a target that is too long is 414`() {
        let path = "/" + String(repeating: "a", count: CanonicalPath.targetBytesMax)
        #expect(refusal("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n") == .targetTooLong)
        #expect(isAccepted("GET \(path.dropLast()) HTTP/1.1\r\nHost: a\r\n\r\n"))
    }

    @Test(arguments: [
        "X : b", "X\t: b", " X: b", ": b", "X", "X Y: b", "X(: b", "X\u{0}: b", "é: b", "X@: b", "X: a\u{0}b",
        "X: a\u{1}b",
        "X: a\u{7F}b", "X: a\u{1B}[0m",
    ])
    func `malformed field lines are refused`(line: String) {
        let violation = refusal("GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n")
        #expect(violation == .malformedHeader || violation == .foldedHeader)
    }

    @Test(arguments: ["X: a\r\n b", "X: a\r\n\tb", " X: b"]) func `folded fields are refused`(lines: String) {
        #expect(refusal("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n") == .foldedHeader)
    }

    @Test(arguments: [
        "GET / HTTP/1.1\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: a\nb\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\rX: b\r\n\r\n", "GET / HTTP/1.1\rHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX\n: a\r\n\r\n",
    ])
    func `lines end with CR LF and nothing else`(text: String) {
        #expect(refusal(text) == .bareLineBreak)
    }

    @Test func `a head is bounded in bytes and fields`() {
        let limits = HeaderBlock.Limits(bytesMax: 256, fieldsMax: 3)
        func outcome(_ fields: String) -> HeadParsing.Outcome {
            HeadParsing.whole(Array("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n".utf8), limits: limits)
        }
        if case .refused = outcome("A: 1\r\nB: 2\r\n") { Issue.record("three fields fit") }
        #expect(outcome("A: 1\r\nB: 2\r\nC: 3\r\n") == .refused(.tooManyHeaders))
        #expect(outcome("A: \(String(repeating: "x", count: 300))\r\n") == .refused(.headerTooLarge))
        #expect(
            outcome("A: \(String(repeating: "x", count: 300))") == .refused(.headerTooLarge), "before its end has come")
        #expect(
            HeadParsing.byteByByte(Array(repeating: UInt8(ascii: "A"), count: 300), limits: limits)
                == .refused(.headerTooLarge))
    }

    @Test(arguments: ["Upgrade: h2c", "Upgrade: websocket", "upgrade: TLS/1.2", "Upgrade: a, b", "Upgrade:"])
    func `an offer of another protocol is ignored, and the body read by its framing`(field: String) throws {
        let head = try HeadParsing.head(
            "POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n\(field)\r\n"
                + "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\nContent-Length: 5\r\n\r\n")
        #expect(head.framing == .length(5) && head.keepsAlive)
    }

    @Test func `the only expectation is 100-continue`() throws {
        let head = try HeadParsing.head(
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\n")
        #expect(head.expectsContinue)
        for value in ["", "100", "100-continue, x", "200-ok"] {
            #expect(refusal("POST / HTTP/1.1\r\nHost: a\r\nExpect: \(value)\r\n\r\n") == .badExpectation)
        }
    }

    @Test func `Connection says whether the connection is kept`() throws {
        func keeps(_ fields: String) throws -> Bool {
            try HeadParsing.head("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n").keepsAlive
        }
        #expect(try keeps(""))
        #expect(try keeps("Connection: keep-alive\r\n"))
        #expect(try !keeps("Connection: close\r\n"))
        #expect(try !keeps("Connection: x , CLOSE\t,y\r\n"))
        #expect(try !keeps("Connection: x\r\nconnection: close\r\n"))
    }
}
