import NIOCore
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Our cookies reach no upstream, and no upstream sets or clears them.
@Suite struct OwnCookiesTests {
    /// Returns the lines with cookies that an upstream gets.
    private func forwarded(_ lines: String) throws -> [String] {
        let head = try HeadParsing.head("GET / HTTP/1.1\r\nHost: a\r\n\(lines)Accept: x\r\n\r\n")
        var buffer = ByteBuffer()
        ForwardedFields.writeRequest(
            head, keepsAuthorization: false, keepsTraceState: false, except: .none, into: &buffer)
        let fields = String(buffer: buffer).split(separator: "\r\n").map(String.init)
        #expect(fields.contains("Accept: x"))
        return fields.filter { $0.lowercased().hasPrefix("cookie:") }
    }

    @Test(arguments: [
        ("a=1; b=2", "a=1; b=2"), ("a=1;b=2;", "a=1;b=2;"), ("a=\"x; y\"", "a=\"x; y\""),
        ("__Host-latchkey-page=p; a=1", "a=1"), ("a=1; __Secure-latchkey-refresh=r; b=2", "a=1; b=2"),
        ("a=1;__Host-latchkey-access=x.y.z;b=2;c", "a=1; b=2; c"), ("latchkey-refresh=r; a=1", "a=1"),
        ("__host-LATCHKEY-page=p; a=1", "a=1"), ("__Host-latchkey-page; a=1", "a=1"),
        ("=__Host-latchkey-page=p; a=1", "a=1"), ("__Host-latchkey-page =p; a=1", "a=1"),
        ("latchkey-pages=1; my-latchkey-page=2", "latchkey-pages=1; my-latchkey-page=2"),
    ])
    func `the others go on`(_ sent: String, _ received: String) throws {
        #expect(try forwarded("Cookie: \(sent)\r\n") == ["Cookie: \(received)"])
    }

    @Test func `a field with none but ours goes, and each field is looked at`() throws {
        #expect(try forwarded("Cookie: __Host-latchkey-page=p; __Secure-latchkey-refresh=r\r\n") == [])
        #expect(try forwarded("Cookie: a=1\r\ncookie: latchkey-access=x\r\nCOOKIE:b=2\r\n").count == 2)
        #expect(try forwarded("Connection: cookie\r\nCookie: a=1; latchkey-access=x\r\n") == [])
    }

    /// Returns the fields of an upstream's response that the client gets.
    private func passed(_ lines: String, keepsClearing: Bool = false) throws -> [String] {
        var parser = ResponseHeadParser(limits: .init())
        var buffer = ByteBuffer(string: "HTTP/1.1 200 OK\r\n\(lines)Content-Length: 0\r\n\r\n")
        let head = try #require(try parser.next(from: &buffer, isHEAD: false))
        var written = ByteBuffer()
        ForwardedFields.writeResponse(head, keepsCrossOrigin: false, keepsClearing: keepsClearing, into: &written)
        return String(buffer: written).split(separator: "\r\n").map(String.init)
    }

    @Test(arguments: [
        "__Host-latchkey-page=p; Path=/; Secure", "__Secure-latchkey-refresh=; Max-Age=0", "latchkey-access=x",
        "__host-Latchkey-Access=x", "__Host-latchkey-access", "=__Host-latchkey-access=x", " = __Host-latchkey-page=x",
        "__Host-latchkey-page =p",
    ])
    func `an upstream sets none of ours`(_ cookie: String) throws {
        #expect(try passed("Set-Cookie: \(cookie)\r\nset-cookie: a=1\r\n") == ["set-cookie: a=1"])
    }

    @Test func `an upstream sets its own cookies`() throws {
        let own = ["Set-Cookie: sid=1; HttpOnly", "Set-Cookie: latchkey-pages=__Host-latchkey-page=p"]
        #expect(try passed(own.map { $0 + "\r\n" }.joined()) == own)
    }

    @Test func `an upstream clears the host's cookies only where none of them is ours`() throws {
        let field = "Clear-Site-Data: \"cookies\""
        #expect(try passed(field + "\r\n") == [])
        #expect(try passed(field + "\r\n", keepsClearing: true) == [field])
    }
}
