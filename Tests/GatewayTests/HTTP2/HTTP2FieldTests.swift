import NIOCore
import NIOHPACK
import Testing

@testable import EdgeHTTP

/// A request's fields of HTTP/2, and the head of HTTP/1.1 that they become.
@Suite struct HTTP2FieldTests {
    /// Reads fields as a stream does.
    private static func head(
        _ fields: [(String, String)], endsStream: Bool = true, limits: HeaderBlock.Limits = .init()
    ) throws(HTTPViolation) -> RequestHead {
        var text = try HTTP2RequestHead.text(of: HPACKHeaders(fields), endsStream: endsStream)
        var parser = RequestHeadParser(limits: limits)
        guard let head = try parser.next(from: &text), text.readableBytes == 0 else { throw .malformedHeader }
        return head
    }

    @Test(arguments: HTTP2Violation.all)
    func `a broken rule has its reason`(violation: HTTP2Violation) throws {
        let wanted = violation.reason
        #expect(throws: wanted) { try Self.head(violation.fields, endsStream: violation.endsStream) }
    }

    @Test func `there are many ways to break the rules, and each is tried`() {
        #expect(HTTP2Violation.all.count >= 40)
        #expect(Set(HTTP2Violation.all.map(\.name)).count == HTTP2Violation.all.count)
    }

    @Test func `a usual request keeps its method, path, host and fields`() throws {
        let head = try Self.head(HTTP2Violation.usual + [("accept", "*/*"), ("te", "trailers"), ("x-a", "b")])
        #expect(head.method == .get && head.pathText == "/a" && head.hostName == "localhost")
        #expect(head.text("accept") == "*/*" && head.text("x-a") == "b" && head.text("te") == nil)
        #expect(head.framing == .none && head.isHTTP11 && !head.hasUnusualBody)
    }

    @Test func `cookies become one field, in their order`() throws {
        let head = try Self.head(
            HTTP2Violation.usual + [("cookie", "a=1"), ("x-a", "b"), ("cookie", "c=2; d=3"), ("cookie", "e=4")])
        #expect(head.text("cookie") == "a=1; c=2; d=3; e=4")
    }

    @Test func `a body without a length is chunked, one with a length keeps it`() throws {
        let post = HTTP2Violation.usual("POST")
        #expect(try Self.head(post, endsStream: false).framing == .chunked)
        #expect(try Self.head(post + [("content-length", "5")], endsStream: false).framing == .length(5))
        // A server may insist on a length.
        #expect(try Self.head(post).framing == .length(0))
        #expect(try Self.head(post + [("content-length", "0")]).framing == .length(0))
    }

    @Test(arguments: ["localhost", "LOCALHOST", "localhost:443", "localhost:"])
    func `host may repeat the authority`(host: String) throws {
        #expect(try Self.head(HTTP2Violation.usual + [("host", host)]).hostName == "localhost")
    }

    @Test func `host takes the place of a missing authority`() throws {
        let fields = HTTP2Violation.usual.filter { $0.0 != ":authority" } + [("host", "other.example")]
        #expect(try Self.head(fields).hostName == "other.example")
    }

    @Test func `heads have the same bounds as in HTTP/1.1`() throws {
        let many = HTTP2Violation.usual + (0..<101).map { ("x-\($0)", "a") }
        #expect(throws: HTTPViolation.tooManyHeaders) { try Self.head(many) }
        let long = HTTP2Violation.usual + [("x-a", String(repeating: "a", count: 33_000))]
        #expect(throws: HTTPViolation.headerTooLarge) { try Self.head(long) }
    }

    @Test func `trailers are checked like other fields`() throws {
        try HTTP2RequestHead.judgeTrailers(["x-sum": "1"])
        #expect(throws: HTTPViolation.badPseudoHeader) { try HTTP2RequestHead.judgeTrailers([":path": "/b"]) }
        #expect(throws: HTTPViolation.connectionField) { try HTTP2RequestHead.judgeTrailers(["upgrade": "h2c"]) }
        #expect(throws: HTTPViolation.malformedHeader) { try HTTP2RequestHead.judgeTrailers(["X-Sum": "1"]) }
    }

    @Test func `a refused head tells its method and origin`() {
        let fields = HPACKHeaders(HTTP2Violation.usual("POST") + [("origin", "https://a.example"), ("X", "y")])
        let refused = RefusedHead(HTTP2RequestHead.refusedText(of: fields), from: .none)
        #expect(refused.method == .post && refused.origin == "https://a.example")
        let forged = HPACKHeaders([(":method", "GET"), ("origin", "https://a.example\r\nOrigin: https://b.example")])
        #expect(RefusedHead(HTTP2RequestHead.refusedText(of: forged), from: .none).origin == nil)
    }

    @Test func `a response loses the fields for one connection, and capitals`() {
        let text = """
            HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\nKeep-Alive: timeout=5\r
            Transfer-Encoding: chunked\r\nUpgrade: h2c\r\nSet-Cookie: a=b\r\nX-Name: caf\u{E9}\r\n\r\n
            """
        let latin = text.unicodeScalars.map { UInt8($0.value) }
        let fields = HTTP2ResponseHead.fields(200, ByteBuffer(bytes: latin))
        #expect(fields.map(\.name) == [":status", "content-type", "set-cookie", "x-name"])
        #expect(fields.first(name: ":status") == "200" && fields.first(name: "x-name") == "caf\u{E9}")
    }

    @Test func `a window grows by half at least, and only by what was passed on`() {
        var window = ReceiveWindow(target: 100, size: 100)
        window.didChange(to: 40)
        let increments = [60, 20, 10, 10].map { held in
            window.held = held
            return window.increment()
        }
        #expect(increments == [nil, nil, 50, nil])
    }

    @Test func `events are counted by period`() {
        var events = EventCount()
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
        let within = (0..<4).map { events.note(most: 3, seconds: 10, now: start + .seconds($0)) }
        #expect(within == [true, true, true, false])
        let later = events.note(most: 3, seconds: 10, now: start + .seconds(11))
        #expect(later)
    }
}
