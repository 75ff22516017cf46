import NIOCore
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct BodyDecoderTests {
    private enum Outcome: Equatable {
        case body(String, rest: String)
        case incomplete(String)
        case refused
    }

    private func decode(_ pieces: [String], _ framing: BodyFraming = .chunked) -> Outcome {
        var decoder = BodyDecoder(framing)
        var buffer = ByteBuffer()
        var body = ""
        do throws(HTTPViolation) {
            for piece in pieces {
                buffer.writeString(piece)
                reading: while true {
                    switch try decoder.next(from: &buffer) {
                    case .data(let data): body += String(buffer: data)
                    case .end: return .body(body, rest: String(buffer: buffer))
                    case .needMore: break reading
                    }
                }
            }
            return .incomplete(body)
        } catch {
            return .refused
        }
    }

    private func pieces(_ text: String) -> [String] { text.utf8.map { String(decoding: [$0], as: UTF8.self) } }

    @Test(arguments: [
        ("0\r\n\r\n", ""), ("5\r\nhello\r\n0\r\n\r\n", "hello"),
        ("1\r\na\r\n00A\r\n0123456789\r\n0\r\n\r\n", "a0123456789"),
        ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"), ("1\r\nx\r\n0\r\nA: b\r\nC:\r\n\r\n", "x"), ("000\r\n\r\n", ""),
    ])
    func `chunks are put together and trailers dropped`(text: String, body: String) {
        #expect(decode([text + "next"]) == .body(body, rest: "next"))
        #expect(decode(pieces(text)) == .body(body, rest: ""))
    }

    @Test(arguments: [
        "\r\n", " 5\r\nhello", "5 \r\nhello", "+5\r\nhello", "-1\r\n", "0x5\r\nhello", "5;a=b\r\nhello", "5;\r\nhello",
        "5\nhello", "5\rhello", "g\r\n", "5\r\nhello0\r\n\r\n", "5\r\nhelloX\r\n", "5\r\nhello\n0\r\n\r\n",
        "FFFFFFFFFFFFFFFF\r\n", "1000000000000000\r\n", "8000000000000000\r\n", "5,5\r\n", "5\t\r\nhello",
        "0\r\n bad: x\r\n\r\n", "0\r\nno colon\r\n\r\n", "0\r\n: x\r\n\r\n", "0\r\na : b\r\n\r\n", "0\r\na: b\n\r\n",
        "0\r\nX\r\n\r\n", "\u{0}", "5\r\nhello\r\r\n",
    ])
    func `odd chunks are refused`(text: String) {
        #expect(decode([text]) == .refused)
        #expect(decode(pieces(text)) == .refused)
    }

    @Test func `an extension without end is refused while it comes`() {
        #expect(decode(["5;" + String(repeating: "a", count: 1 << 20)]) == .refused)
        #expect(decode([String(repeating: "0", count: 16)]) == .refused)
    }

    @Test func `trailers are bounded`() {
        #expect(decode(["0\r\n" + String(repeating: "A: b\r\n", count: 1000)]) == .incomplete(""))
        #expect(decode(["0\r\n" + String(repeating: "A: b\r\n", count: 2000)]) == .refused)
        #expect(decode(["0\r\nA: " + String(repeating: "b", count: 9000)]) == .refused)
    }

    @Test func `a length is taken exactly`() {
        #expect(decode(["helloGET"], .length(5)) == .body("hello", rest: "GET"))
        #expect(decode(pieces("hello"), .length(6)) == .incomplete("hello"))
        #expect(decode(["GET"], .none) == .body("", rest: "GET"))
        #expect(decode(["a", "b"], .untilClose) == .incomplete("ab"))
    }

    @Test(arguments: 0..<4) func `mutated chunks read alike in pieces and whole`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed) + 1000)
        let sample = Array("5\r\nhello\r\nA\r\n0123456789\r\n0\r\nX: y\r\n\r\n".utf8)
        let spice = Array("\r\n\r\n0123456789aF;+- xg".utf8)
        for _ in 0..<1500 {
            var bytes = sample
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = spice.randomElement(using: &random) ?? 0
            }
            let text = String(decoding: bytes, as: UTF8.self)
            switch (decode([text]), decode(pieces(text))) {
            case (.body(let body, _), let other): #expect(other == .body(body, rest: ""))
            case (let one, let other): #expect(one == other)
            }
        }
    }
}
