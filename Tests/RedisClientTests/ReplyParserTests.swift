import NIOCore
import Testing

@testable import RedisClient

@Suite struct ReplyParserTests {
    @Test(arguments: [
        ("+OK\r\n", RedisValue.status("OK")), (":-42\r\n", .integer(-42)), ("$-1\r\n", .null), ("*-1\r\n", .null),
        ("$0\r\n\r\n", .string([])), ("*0\r\n", .array([])), (":9223372036854775807\r\n", .integer(.max)),
        ("$4\r\na\0\r\n\r\n", .string([0x61, 0, 0x0D, 0x0A])),
        ("*3\r\n:1\r\n$-1\r\n*1\r\n+x\r\n", .array([.integer(1), .null, .array([.status("x")])])),
    ])
    func `replies become values`(bytes: String, value: RedisValue) throws {
        #expect(try parse([bytes]) == [.success(value)])
    }

    @Test func `replies are the same however the bytes are cut`() throws {
        let stream = "+OK\r\n*2\r\n$5\r\nhello\r\n:7\r\n-ERR no\r\n$-1\r\n:12\r\n"
        let whole = try parse([stream])
        #expect(whole.count == 5)
        for cut in 1..<stream.utf8.count {
            #expect(try parse([String(stream.prefix(cut)), String(stream.dropFirst(cut))]) == whole)
        }
        #expect(try parse(stream.map { String($0) }) == whole)
    }

    @Test func `thousands of replies in one read come in order`() throws {
        let stream = (0..<10_000).map { ":\($0)\r\n" }.joined()
        #expect(try parse([stream]) == (0..<10_000).map { .success(.integer($0)) })
    }

    @Test func `an error reply is an error, also inside of an array`() throws {
        let replies = try parse(["-WRONGTYPE bad kind\r\n", "*2\r\n:1\r\n-NOPERM no\r\n", ":1\r\n"])
        #expect(replies.map(\.replyPrefix) == ["WRONGTYPE", "NOPERM", nil])
    }

    @Test func `an error reply of no words is still an error`() throws {
        #expect(try parse(["-\r\n"]).first?.replyPrefix == "")
    }

    @Test(arguments: [
        "?what\r\n", "$x\r\n", "*9999999999\r\n", "$-5\r\n", ":abc\r\n", "%1\r\n",
        "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n",
    ])
    func `broken or too deep replies are refused`(bytes: String) {
        #expect(refusal(of: [bytes]) == .protocolViolation)
    }

    @Test func `a reply of the greatest size passes, one byte more is refused`() throws {
        let fits = "$90\r\n" + String(repeating: "x", count: 90) + "\r\n"
        #expect(fits.utf8.count == 97)
        #expect(try parse([fits, fits], replyBytesMax: 97).count == 2)
        #expect(try parse([fits + fits + fits], replyBytesMax: 97).count == 3)
        #expect(refusal(of: [fits], replyBytesMax: 96) == .protocolViolation)
    }

    @Test func `a reply that grows past the bound is refused before it is complete`() {
        let endless = ["$1000000\r\n"] + [String](repeating: String(repeating: "x", count: 50), count: 4)
        #expect(refusal(of: endless, replyBytesMax: 100) == .protocolViolation)
        let manySmall = ["*20\r\n"] + [String](repeating: ":123456\r\n", count: 15)
        #expect(refusal(of: manySmall, replyBytesMax: 100) == .protocolViolation)
    }

    @Test func `an array that could not fit is refused by its header, before memory is taken`() throws {
        #expect(refusal(of: ["*26\r\n"], replyBytesMax: 100) == .protocolViolation)
        #expect(try parse(["*25\r\n"], replyBytesMax: 100).isEmpty)
        #expect(refusal(of: ["*1\r\n*2000000000\r\n"], replyBytesMax: 16 << 20) == .protocolViolation)
    }

    @Test func `large replies that follow small ones are measured alone`() throws {
        let small = String(repeating: ":1\r\n", count: 5_000)
        let large = "$9000\r\n" + String(repeating: "x", count: 9_000) + "\r\n"
        #expect(try parse([small + large + small], replyBytesMax: 10_000).count == 10_001)
    }

    private func parse(_ pieces: [String], replyBytesMax: Int = 1 << 20) throws(RedisError) -> [RedisReply] {
        let parser = ReplyParser(replyBytesMax: replyBytesMax)
        var replies: [RedisReply] = []
        for piece in pieces { try parser.feed(ByteBuffer(string: piece)) { replies.append($0) } }
        return replies
    }

    private func refusal(of pieces: [String], replyBytesMax: Int = 1 << 20) -> RedisError.Code? {
        do throws(RedisError) {
            _ = try parse(pieces, replyBytesMax: replyBytesMax)
            return nil
        } catch {
            return error.code
        }
    }
}

extension RedisReply {
    /// The first word of an error reply.
    var replyPrefix: Substring? {
        guard case .failure(let error) = self else { return nil }
        return error.replyPrefix
    }

    var errorCode: RedisError.Code? {
        guard case .failure(let error) = self else { return nil }
        return error.code
    }
}
