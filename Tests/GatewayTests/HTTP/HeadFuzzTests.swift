import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// A small seeded generator, so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite struct HeadFuzzTests {
    private static let samples = [
        "GET /api/a?b=c HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\nConnection: keep-alive\r\n\r\n",
        "POST /a/b HTTP/1.1\r\nHost: a:80\r\nContent-Length: 5\r\nX-User-Id: 1\r\n\r\nhello",
        "PUT /x%20y HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\nTrailer: a\r\n\r\n0\r\n\r\n",
        "DELETE /a HTTP/1.1\r\nHost: [::1]\r\nExpect: 100-continue\r\nContent-Length: 1\r\nConnection: close, x\r\n\r\n",
    ]
    private static let spice = Array("\r\n\r\n \t:;,%/\\.\0-_0123456789abcdefxX\u{7F}".utf8) + [0x80, 0xFF]

    /// One to six bytes changed, added, removed or repeated.
    private func mutated(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            let position = Int.random(in: 0..<bytes.count, using: &random)
            let byte = Self.spice.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[position] = byte
            case 1: bytes.insert(byte, at: position)
            case 2: bytes.remove(at: position)
            case 3: bytes.insert(contentsOf: bytes[position..<min(position + 12, bytes.count)], at: position)
            default: bytes.swapAt(position, Int.random(in: 0..<bytes.count, using: &random))
            }
        }
        return bytes
    }

    @Test(arguments: 0..<8)
    func `no mutation is read otherwise in pieces, and none is accepted that a slow reader refuses`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var acceptedCount = 0
        for _ in 0..<1500 {
            let bytes = mutated(Array(Self.samples[Int.random(in: 0..<4, using: &random)].utf8), &random)
            let whole = HeadParsing.whole(bytes)
            #expect(
                HeadParsing.byteByByte(bytes) == whole, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
            guard case .head(_, let taken) = whole else { continue }
            acceptedCount += 1
            #expect(
                SlowReader.accepts(Array(bytes[..<taken])),
                "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
        }
        #expect(acceptedCount > 50, "the mutations are mild enough to try both sides")
    }

    @Test func `random bytes never end the process`() {
        var random = SeededGenerator(seed: 99)
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 0..<64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(HeadParsing.whole(bytes) == HeadParsing.byteByByte(bytes))
        }
    }

    @Test func `the slow reader knows good from bad`() {
        for sample in Self.samples {
            guard case .head(_, let taken) = HeadParsing.whole(Array(sample.utf8)) else {
                Issue.record("\(sample) is good")
                continue
            }
            #expect(SlowReader.accepts(Array(sample.utf8.prefix(taken))))
        }
        #expect(!SlowReader.accepts(Array("GET / HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n".utf8)))
        #expect(!SlowReader.accepts(Array("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n".utf8)))
    }
}
