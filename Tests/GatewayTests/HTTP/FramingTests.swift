import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct FramingTests {
    private func outcome(_ fields: String, method: String = "POST") -> HeadParsing.Outcome {
        HeadParsing.whole(Array("\(method) / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n".utf8))
    }

    private func refusal(_ fields: String, method: String = "POST") -> HTTPViolation? {
        if case .refused(let violation) = outcome(fields, method: method) { violation } else { nil }
    }

    @Test(arguments: [
        "", " ", "+1", "-1", "0x10", "1 2", "1,1", "1, 1", "1;", "a", "1a", "1.0", "1e3", "9223372036854775808",
        "99999999999999999999", "１", "1_000", "\t",
    ])
    func `a length is decimal digits`(value: String) {
        #expect(refusal("Content-Length: \(value)\r\n") == .badContentLength)
    }

    @Test(arguments: ["Content-Length: 1\r\nContent-Length: 1\r\n", "Content-Length: 1\r\ncontent-length: 2\r\n"])
    func `two lengths are refused, even equal ones`(fields: String) {
        #expect(refusal(fields) == .badContentLength)
    }

    @Test(arguments: [
        "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n",
        "Content-Length: 5\r\nTRANSFER-ENCODING: Chunked\r\n",
    ])
    func `a length beside an encoding is refused`(fields: String) {
        #expect(refusal(fields) == .ambiguousFraming)
    }

    @Test(arguments: [
        "", "identity", "gzip", "gzip, chunked", "chunked, gzip", "chunked, chunked", "chunked,", ",chunked",
        "x-chunked",
        "chunkedx", "\"chunked\"", "chunked;q=1", "chunked identity", "cow", "xchunked", "chunk",
    ])
    func `the only encoding is chunked`(value: String) {
        #expect(refusal("Transfer-Encoding: \(value)\r\n") == .badTransferEncoding)
    }

    @Test func `two encodings are refused`() {
        #expect(
            refusal("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n") == .badTransferEncoding)
        #expect(
            refusal("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n") == .badTransferEncoding)
    }

    @Test(arguments: [
        "Content_Length: 1", "Content.Length: 1", "Transfer_Encoding: chunked", "transfer.encoding: chunked",
        "Transfer-Encoding : chunked", "Ho_st: b", "CONTENT_LENGTH: 5",
    ])
    func `names that an upstream could take for framing are refused`(line: String) {
        // `Ho_st` folds to `ho-st`, which is not a known name.
        let violation = refusal("\(line)\r\n")
        #expect(
            line.hasPrefix("Ho_st") ? violation == nil : violation == .framingLookalike || violation == .malformedHeader
        )
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS"]) func `a body of GET, HEAD or OPTIONS is unusual`(method: String) throws
    {
        func isUnusual(_ fields: String) throws -> Bool {
            try HeadParsing.head("\(method) / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n").hasUnusualBody
        }
        #expect(try isUnusual("Content-Length: 1\r\n"))
        #expect(try isUnusual("Transfer-Encoding: chunked\r\n"))
        #expect(try !isUnusual("Content-Length: 0\r\n"))
        #expect(try !HeadParsing.head("DELETE / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n").hasUnusualBody)
    }

    @Test func `good framing passes`() throws {
        func framing(_ fields: String) throws -> BodyFraming {
            try HeadParsing.head("POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n").framing
        }
        #expect(try framing("") == .none)
        #expect(try framing("Content-Length: 007\r\n") == .length(7))
        #expect(try framing("content-length:12\r\n") == .length(12))
        #expect(try framing("Content-Length: 999999999999999999\r\n") == .length(999_999_999_999_999_999))
        #expect(try framing("Transfer-Encoding: Chunked\r\n") == .chunked)
    }
}
