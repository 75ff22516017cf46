import NIOCore
import Testing

@testable import EdgeHTTP

@Suite struct RetryAfterTests {
    /// 1994-11-06 08:49:37 UTC.
    private static let second: Int64 = 784_111_777

    @Test(
        arguments: [
            ("503 Busy\r\nRetry-After: 7", 7), ("503 Busy\r\nRetry-After: 0", 0),
            ("503 Busy\r\nRetry-After: 99999999999999999999999", Int64.max),
            ("503 Busy\r\nRetry-After: Sun, 06 Nov 1994 08:49:47 GMT", 10),
            ("503 Busy\r\nRetry-After: Sun, 06 Nov 1994 08:49:27 GMT", -10),
            // The upstream's clock is a day behind.
            ("503 Busy\r\nDate: Sat, 05 Nov 1994 08:49:37 GMT\r\nRetry-After: Sat, 05 Nov 1994 08:49:40 GMT", 3),
            ("503 Busy\r\nRetry-After: soon", nil), ("503 Busy\r\nRetry-After: -1", nil),
            ("503 Busy\r\nRetry-After: ", nil),
            ("503 Busy\r\nRetry-After: 1.5", nil), ("503 Busy\r\nX-Retry-After: 5", nil),
            ("200 OK\r\nRetry-After: 7", nil), ("429 Slow\r\nRetry-After: 7", nil), ("500 No\r\nRetry-After: 7", nil),
        ] as [(String, Int64?)])
    func `a 503 states its pause in seconds or as a date`(head: String, seconds: Int64?) throws {
        var parser = ResponseHeadParser(limits: .init())
        var buffer = ByteBuffer(string: "HTTP/1.1 \(head)\r\nContent-Length: 0\r\n\r\n")
        let read = try #require(try parser.next(from: &buffer, isHEAD: false))
        #expect(RetryAfter.seconds(in: read, at: Self.second) == seconds)
    }
}
