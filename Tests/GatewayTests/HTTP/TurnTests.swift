import NIOCore
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct TurnTests {
    /// `count` chunks of `size` bytes, and the end.
    private func chunks(_ count: Int, of size: Int) -> ByteBuffer {
        let chunk = String(size, radix: 16) + "\r\n" + String(repeating: "a", count: size) + "\r\n"
        return ByteBuffer(string: String(repeating: chunk, count: count) + "0\r\n\r\n")
    }

    @Test func `a turn has room for so many requests, and the next one too`() {
        var turn = Turn()
        for _ in 0..<2 {
            for _ in 1..<Turn.requestsMax { turn.beginRequest() }
            #expect(!turn.isOver)
            turn.beginRequest()
            #expect(turn.isOver && turn.framingLinesLeft == 0)
            turn.begin()
        }
    }

    @Test func `requests and lines of framing share a turn`() {
        var turn = Turn()
        turn.beginRequest()
        turn.readFramingLines(turn.framingLinesLeft)
        #expect(turn.isOver)
    }

    @Test func `no more lines are read than are allowed, and small chunks come together`() throws {
        var decoder = BodyDecoder(.chunked)
        var buffer = chunks(10_000, of: 2)
        var pieces: [Int] = []
        var turns = 0
        while !decoder.isDone {
            var linesLeft = Turn.framingLinesMax
            turns += 1
            while linesLeft > 0, case .data(let data) = try decoder.next(from: &buffer, linesMax: linesLeft) {
                pieces.append(data.readableBytes)
                linesLeft -= decoder.takeLineCount()
                #expect(linesLeft >= 0)
            }
            _ = decoder.takeLineCount()
        }
        #expect(pieces.reduce(0, +) == 20_000 && turns == 5 && pieces.count <= 10)
    }

    @Test(arguments: [(1, true), (2, false), (100, false)])
    func `framing of more than 64 KiB and four times the data is waste`(size: Int, isWasteful: Bool) throws {
        var decoder = BodyDecoder(.chunked)
        var buffer = chunks(10_000, of: size)
        while case .data = try decoder.next(from: &buffer), !decoder.isDone {}
        #expect(!decoder.isWasteful)
        decoder = BodyDecoder(.chunked)
        buffer = chunks(20_000, of: size)
        while case .data = try decoder.next(from: &buffer), !decoder.isDone {}
        #expect(decoder.isWasteful == isWasteful)
    }

    @Test(arguments: [(32, true), (33, false)])
    func `a head names at most so many members of Connection`(count: Int, isAccepted: Bool) {
        let members = Array(repeating: "x", count: count - 1).joined(separator: ", ")
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nConnection: \(members)\r\nConnection: y\r\n\r\n".utf8)
        let isRefused = HeadParsing.whole(bytes) == .refused(.tooManyOptions)
        #expect(isRefused == !isAccepted)
    }
}
