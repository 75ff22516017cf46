import Testing

@testable import GatewayCore

@Suite struct LineEndTests {
    @Test func `a carriage return alone ends no line`() {
        for text in ["GET / HTTP/1.1\rXHost: a\r\n", "GET / HTTP/1.1\r", "GET / HTTP/1.1\r\r\nHost: a\r\n"] {
            #expect(throws: HTTPViolation.malformedRequestLine) {
                try RequestHeadParser.parse(Array(text.utf8), limits: .init())
            }
        }
        for text in ["HTTP/1.1 200 OK\rXA: b\r\n", "HTTP/1.1 200 OK\r"] {
            #expect(throws: HTTPViolation.malformedStatusLine) {
                try ResponseHead(Array(text.utf8), limits: .init(), isHEAD: false)
            }
        }
    }
}
