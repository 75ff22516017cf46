import NIOCore
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct RefusedHeadTests {
    private func head(_ text: String) -> RefusedHead { RefusedHead(ByteBuffer(string: text), from: .none) }

    @Test(arguments: [
        ("POST /a%2Fb HTTP/1.1\r\nHost: a\r\nOrigin: https://a.example\r\n\r\n", "https://a.example"),
        ("POST / HTTP/1.1\r\norigin:https://a.example \t\r\nX: a\u{0}", "https://a.example"),
        ("GET / HTTP/1.1\r\nOrigin: https://a.example", nil),
        ("GET / HTTP/1.1\r\nX-Origin: https://a.example\r\n\r\n", nil),
        ("GET / HTTP/1.1\r\nOrigin: a\r\nOrigin: b\r\n\r\n", nil), ("Origin: a\r\nX: b\r\n\r\n", nil),
        ("GET / HTTP/1.1\r\n\r\nOrigin: a\r\n", nil), ("", nil), ("\r\n\r\n", nil), ("\n\nOrigin: a\n", nil),
    ])
    func `the only origin among the lines that have come is read`(text: String, origin: String?) {
        #expect(head(text).origin == origin)
    }

    @Test(arguments: [
        ("POST / HTTP/1.1", HTTPMethod.post), ("HEAD ", .head), ("GET\n", .get), ("PURGE / HTTP/1.1", nil), ("", nil),
        ("post /", nil), ("POSTS /", nil),
    ])
    func `a known method is read`(text: String, method: HTTPMethod?) { #expect(head(text).method == method) }

    @Test func `a reason is a word with underscores`() {
        #expect(HTTPViolation.ambiguousPath.reason == "ambiguous_path")
        #expect(HTTPViolation.tlsRequired.reason == "tls_required")
        for violation in HTTPViolation.allCases {
            #expect(violation.reason.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (0x61...0x7A).contains($0) })
        }
    }
}
