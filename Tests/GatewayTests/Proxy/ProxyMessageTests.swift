import Logging
import NIOCore
import Spans
import Testing
import Tracing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct ProxyMessageTests {
    private var ids: IdentifierSource {
        var seed = SeededGenerator(seed: 1)
        return IdentifierSource(seededFrom: &seed)
    }

    private let endpoint = UpstreamEndpoint(host: "10.0.0.1", port: 8090)

    private func sent(
        _ text: String, keepsAuthorization: Bool = false, span: InstrumentationContext? = nil
    ) throws -> String {
        let head = try HeadParsing.head(text)
        let plan = ProxyPlan(
            upstream: UpstreamGroup(name: "app", endpoints: [endpoint], logger: Logger(label: "test")),
            target: Array(head.target),
            clientAddress: "192.0.2.1", identityLines: Array("X-User-Id: usr_1\r\n".utf8),
            keepsAuthorization: keepsAuthorization, bodyBytesMax: nil, timeoutSeconds: 5)
        var ids = ids
        let id = RequestID(from: &ids)
        return String(buffer: ProxyMessages.request(head, plan: plan, to: endpoint, id: id, span: span, ids: &ids))
    }

    private func fields(_ message: String) -> [String] {
        message.split(separator: "\r\n", omittingEmptySubsequences: true).dropFirst().map(String.init)
    }

    @Test func `a request goes on with what is its own and what we state`() throws {
        let message = try sent(
            "GET /a?b HTTP/1.1\r\nHost: public.example\r\nAccept: x\r\nX-Odd:\ty \r\nAuthorization: Bearer t\r\nCookie: c\r\n\r\n"
        )
        #expect(message.hasPrefix("GET /a?b HTTP/1.1\r\nHost: 10.0.0.1:8090\r\nAccept: x\r\nX-Odd: y\r\nCookie: c\r\n"))
        #expect(message.hasSuffix("\r\n\r\n"))
        #expect(fields(message).filter { $0.hasPrefix("X-User-Id: usr_1") }.count == 1)
        #expect(fields(message).contains { $0.hasPrefix("X-Request-Id: ") && $0.count == 14 + 32 })
        #expect(!message.contains("Bearer"))
        #expect(fields(message).filter { $0.contains("public.example") } == ["X-Forwarded-Host: public.example"])
    }

    @Test func `Authorization goes on only where the route says so, and no lookalike ever does`() throws {
        let request = "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer t\r\nAuthoriz_ation: 1\r\n\r\n"
        #expect(try sent(request, keepsAuthorization: true).contains("\r\nAuthorization: Bearer t\r\n"))
        #expect(try !sent(request).contains("Bearer"))
    }

    @Test(arguments: [
        "X-User-Id", "X-User-Role", "X-Session-Id", "X-Request-Id", "X-Latchkey-Identity", "X-Forwarded-For",
        "Forwarded",
        "X-Real-Ip", "Latchkey-Assertion",
    ])
    func `no client spelling of identity reaches the upstream`(name: String) throws {
        for spelling in FieldKindTests.spellings(name) {
            let message = try sent("GET / HTTP/1.1\r\nHost: a\r\n\(spelling): forged\r\n\(spelling):forged\r\n\r\n")
            #expect(!message.contains("forged"), "\(spelling)")
        }
    }

    @Test func `what Connection names goes, and never what we state`() throws {
        let message = try sent(
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: X-User-Id, Authorization, x_secret, close\r\nX-Secret: s\r\n"
                + "X-Request-Id: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\nProxy-Authorization: p\r\nX-Kept: k\r\n\r\n")
        #expect(message.contains("\r\nX-User-Id: usr_1\r\n"))
        #expect(message.contains("\r\nX-Kept: k\r\n"))
        for gone in ["X-Secret", "Keep-Alive", "TE:", "Proxy-", "Connection"] {
            #expect(!message.contains(gone), "\(gone)")
        }
    }

    @Test func `framing is written anew`() throws {
        let chunked = try sent("POST / HTTP/1.1\r\nHost: a\r\ntransfer-encoding:chunked\r\nTrailer: X\r\n\r\n")
        #expect(chunked.contains("\r\nTransfer-Encoding: chunked\r\n") && !chunked.contains("Trailer"))
        let length = try sent("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 005\r\nExpect: 100-continue\r\n\r\n")
        #expect(length.contains("\r\nContent-Length: 5\r\n") && !length.contains("Expect"))
    }

    @Test func `a value that would break the message is left out`() throws {
        var buffer = ByteBuffer()
        ReplySerializer.writeField("X-A", "1\r\nX-B: 2", into: &buffer)
        ReplySerializer.writeField("X-C", "3", into: &buffer)
        #expect(String(buffer: buffer) == "X-C: 3\r\n")
    }

    @Test func `a valid trace goes on with a span of our own`() throws {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        let message = try sent(
            "GET / HTTP/1.1\r\nHost: a\r\ntraceparent: 00-\(trace)-00f067aa0ba902b7-01\r\ntracestate: v=1\r\n\r\n")
        let field = try #require(fields(message).first { $0.hasPrefix("traceparent: ") })
        #expect(field.hasPrefix("traceparent: 00-\(trace)-") && field.hasSuffix("-00"))
        #expect(!field.contains("00f067aa0ba902b7"))
        #expect(message.contains("\r\ntracestate: v=1\r\n"))
    }

    @Test func `the upstream of a traced request gets the place of its span`() throws {
        let place = try #require(
            SpanIdentity(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
        var context = InstrumentationContext.topLevel
        context.spanIdentity = place
        let client = "00-\(String(repeating: "1", count: 32))-\(String(repeating: "2", count: 16))-00"
        let message = try withTracer(SpanTracer(SpanQueue())) {
            try sent("GET / HTTP/1.1\r\nHost: a\r\ntraceparent: \(client)\r\n\r\n", span: context)
        }
        let found = fields(message).filter { $0.lowercased().hasPrefix("traceparent:") }
        #expect(found == ["traceparent: \(place.traceparent)"])
    }

    @Test(arguments: [
        "", "00-0-0-0", "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
        "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "0g-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ])
    func `an invalid trace is replaced, its state dropped`(value: String) throws {
        let message = try sent("GET / HTTP/1.1\r\nHost: a\r\ntraceparent: \(value)\r\ntracestate: v=1\r\n\r\n")
        let traces = fields(message).filter { $0.hasPrefix("traceparent: ") }
        #expect(traces.count == 1 && traces.first?.count == 13 + 55)
        #expect(
            !message.contains("4bf92f3577b34da6") && !message.contains("4BF92F35") && !message.contains("tracestate"))
    }

    @Test func `two traces are none, and later versions may say more`() throws {
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        let value = "-\(trace)-00f067aa0ba902b7-01"
        let twice = try sent("GET / HTTP/1.1\r\nHost: a\r\ntraceparent: 00\(value)\r\ntraceparent: 00\(value)\r\n\r\n")
        #expect(!twice.contains(trace))
        #expect(try sent("GET / HTTP/1.1\r\nHost: a\r\ntraceparent: 01\(value)-more\r\n\r\n").contains(trace))
    }

    @Test(arguments: [
        ("http://a", "a", 80, "a"), ("http://a:8080/", "a", 8080, "a:8080"), ("http://[::1]:81", "::1", 81, "[::1]:81"),
        ("http://[::1]", "::1", 80, "[::1]"), ("http://127.0.0.1:1", "127.0.0.1", 1, "127.0.0.1:1"),
        ("https://a", "a", 443, "a"), ("https://a:80", "a", 80, "a:80"), ("https://[::1]:443/", "::1", 443, "[::1]"),
    ])
    func `endpoints are read out of URLs`(url: String, host: String, port: Int, authority: String) {
        let endpoint = UpstreamEndpoint(url: url)
        #expect(endpoint?.place == .host(host, port: port) && endpoint?.authority == authority)
        #expect(endpoint?.usesTLS == url.hasPrefix("https"))
    }

    @Test(arguments: [
        ("https://api.example.com:8443", "api.example.com"), ("https://api.example.com.", "api.example.com"),
        ("https://127.0.0.1", nil), ("https://[::1]:8443", nil),
    ])
    func `a name is asked for and believed by itself, an address by the address`(url: String, name: String?) {
        #expect(UpstreamEndpoint(url: url)?.serverName == name)
    }

    @Test func `a socket file is an endpoint if the system takes its path`() {
        let path = "/" + String(repeating: "a", count: 102)
        let endpoint = UpstreamEndpoint(url: "unix://\(path)")
        #expect(endpoint?.place == .file(path: path) && endpoint?.authority == "localhost")
        #expect(endpoint?.address?.pathname == path)
        for url in ["unix://\(path)a", "unix://a", "unix:///", "unix://"] { #expect(UpstreamEndpoint(url: url) == nil) }
    }

    @Test(arguments: [
        "", "a:80", "ftp://a", "https://", "https://a/b", "http://", "http://:80", "http://a:x", "http://a:99999",
        "http://a/b", "http://u@a",
    ])
    func `other URLs are none`(url: String) {
        #expect(UpstreamEndpoint(url: url) == nil)
    }
}
