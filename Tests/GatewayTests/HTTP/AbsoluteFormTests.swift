import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct AbsoluteFormTests {
    private func refusal(_ target: String, host: String, version: String = "1.1") -> HTTPViolation? {
        let outcome = HeadParsing.whole(Array("GET \(target) HTTP/\(version)\r\nHost: \(host)\r\n\r\n".utf8))
        if case .refused(let violation) = outcome { return violation }
        return nil
    }

    @Test(arguments: [
        ("http://a.example/x/y?z=1", "a.example", "/x/y?z=1", "/x/y"), ("HTTPS://A.example/x", "a.EXAMPLE", "/x", "/x"),
        ("http://a.example", "a.example", "/", "/"), ("http://a.example/", "a.example", "/", "/"),
        ("http://a.example?x=1&y", "a.example", "/?x=1&y", "/"), ("http://a:8080/x", "a:8080", "/x", "/x"),
        ("http://a:80/x", "a", "/x", "/x"), ("https://a/x", "a:443", "/x", "/x"), ("http://a:/x", "a", "/x", "/x"),
        ("http://[2001:db8::1]:80/x", "[2001:DB8::1]", "/x", "/x"), ("http://a?", "a", "/?", "/"),
    ])
    func `an http URL is read as the path and query it holds`(
        target: String, host: String, origin: String, path: String
    ) throws {
        for version in ["1.1", "1.0"] {
            let head = try HeadParsing.head("GET \(target) HTTP/\(version)\r\nHost: \(host)\r\nX-A: b\r\n\r\n")
            #expect(String(decoding: head.target, as: UTF8.self) == origin)
            #expect(head.pathText == path && head.text("x-a") == "b" && head.hostName == host.lowercasedHost)
        }
    }

    @Test(arguments: [
        ("http://a/", "b"), ("http://a/", "a.b"), ("http://a:8080/", "a"), ("http://a/", "a:443"),
        ("https://a/", "a:80"),
        ("http://a:80/", "a:8080"), ("http://ab/", "a"), ("http://a./", "a"), ("http://[::1]/", "[::2]"),
    ])
    func `a host that differs from the target's is refused`(target: String, host: String) {
        for version in ["1.1", "1.0"] { #expect(refusal(target, host: host, version: version) == .badHost) }
    }

    @Test func `one valid host is required beside it`() {
        let bytes = { (text: String) in Array(text.utf8) }
        for fields in ["", "Host: a\r\nHost: a\r\n", "Host: a b\r\n", "Host:\r\n"] {
            for version in ["1.1", "1.0"] {
                #expect(
                    HeadParsing.whole(bytes("GET http://a/ HTTP/\(version)\r\n\(fields)\r\n")) == .refused(.badHost))
            }
        }
    }

    @Test func `the whole target is bounded`() {
        let target = "http://a/" + String(repeating: "b", count: CanonicalPath.targetBytesMax - 8)
        #expect(refusal(target, host: "a") == .targetTooLong)
        #expect(refusal(String(target.dropLast()), host: "a") == nil)
    }
}

extension String {
    /// A `Host` in lower case and without its port.
    fileprivate var lowercasedHost: String {
        let text = lowercased()
        guard text.hasPrefix("[") else { return String(text.prefix { $0 != ":" }) }
        return String(text.prefix { $0 != "]" }) + "]"
    }
}
