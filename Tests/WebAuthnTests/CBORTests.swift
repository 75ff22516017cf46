import TestSupport
import Testing

@testable import WebAuthn

/// The subset of CBOR, and what it leaves out (guide to passkeys, hostile inputs 18 and 19).
@Suite struct CBORTests {
    @Test(
        arguments: [
            ([0x00], .integer(0)), ([0x17], .integer(23)), ([0x18, 0x18], .integer(24)),
            ([0x19, 0x01, 0x00], .integer(256)),
            ([0x1A, 0x00, 0x01, 0x00, 0x00], .integer(65_536)), ([0x1B, 0, 0, 0, 1, 0, 0, 0, 0], .integer(1 << 32)),
            ([0x1B, 0x7F] + [UInt8](repeating: 0xFF, count: 7), .integer(.max)), ([0x20], .integer(-1)),
            ([0x39, 0x01, 0x00], .integer(-257)), ([0x3B, 0x7F] + [UInt8](repeating: 0xFF, count: 7), .integer(.min)),
            ([0x40], .bytes([])), ([0x42, 1, 2], .bytes([1, 2])), ([0x60], .text("")),
            ([0x62, 0xC3, 0xBC], .text("ü")),
            ([0x80], .array([])), ([0x82, 1, 0x20], .array([.integer(1), .integer(-1)])), ([0xA0], .map([:])),
            ([0xA2, 1, 2, 0x61, 0x61, 0xF5], .map([.integer(1): .integer(2), .text("a"): .bool(true)])),
            ([0xF4], .bool(false)), ([0xF6], .null),
            ([0x81, 0x81, 0x81, 0x80], .array([.array([.array([.array([])])])])),
        ] as [([UInt8], CBOR)])
    func `items are read`(bytes: [UInt8], item: CBOR) { #expect(CBOR(bytes) == item) }

    struct Malformed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]

        init(_ name: String, _ bytes: [UInt8]) { (testDescription, self.bytes) = (name, bytes) }
    }

    @Test(
        arguments: [
            Malformed("nothing", []), Malformed("a byte after the item", [0x00, 0x00]),
            Malformed("a head without its argument", [0x18]),
            Malformed("a short argument", [0x19, 0x01]), Malformed("23 in two bytes", [0x18, 0x17]),
            Malformed("255 in three bytes", [0x19, 0x00, 0xFF]),
            Malformed("65,535 in five bytes", [0x1A, 0x00, 0x00, 0xFF, 0xFF]),
            Malformed("a number below 2³² in nine bytes", [0x1B, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]),
            Malformed("2⁶³", [0x1B, 0x80, 0, 0, 0, 0, 0, 0, 0]),
            Malformed("−2⁶³ − 1", [0x3B, 0x80, 0, 0, 0, 0, 0, 0, 0]),
            Malformed("a reserved argument", [0x1C] + [UInt8](repeating: 1, count: 16)),
            Malformed("an indefinite integer", [0x1F]),
            Malformed("indefinite bytes", [0x5F, 0x41, 1, 0xFF]),
            Malformed("indefinite text", [0x7F, 0x61, 0x61, 0xFF]),
            Malformed("an indefinite array", [0x9F, 0xFF]), Malformed("an indefinite map", [0xBF, 0xFF]),
            Malformed("a break", [0xFF]),
            Malformed("a tag", [0xC0, 0x00]), Malformed("a big number", [0xC2, 0x41, 1]),
            Malformed("a half", [0xF9, 0x3C, 0x00]),
            Malformed("a float", [0xFA, 0x3F, 0x80, 0, 0]),
            Malformed("a double", [0xFB, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0]),
            Malformed("undefined", [0xF7]), Malformed("a simple value", [0xE0]),
            Malformed("false in two bytes", [0xF8, 0x14]),
            Malformed("a long simple value", [0xF8, 0xFF]), Malformed("bytes beyond the end", [0x42, 1]),
            Malformed("2⁶³ bytes", [0x5B, 0x80, 0, 0, 0, 0, 0, 0, 0]),
            Malformed("all the bytes there could be", [0x5B] + [UInt8](repeating: 0xFF, count: 8)),
            Malformed("2³² members of an array", [0x9B, 0, 0, 0, 1, 0, 0, 0, 0]),
            Malformed("2³² members of a map", [0xBB, 0, 0, 0, 1, 0, 0, 0, 0]),
            Malformed("2⁶⁴ − 1 members", [0xBB] + [UInt8](repeating: 0xFF, count: 8)),
            Malformed("a map without a value", [0xA1, 1]),
            Malformed("a key twice", [0xA2, 1, 2, 1, 3]),
            Malformed("a text twice", [0xA2, 0x61, 0x61, 2, 0x61, 0x61, 2]),
            Malformed("bytes as a key", [0xA1, 0x41, 1, 2]), Malformed("an array as a key", [0xA1, 0x80, 2]),
            Malformed("a bool as a key", [0xA1, 0xF5, 2]),
            Malformed("invalid UTF-8", [0x61, 0xFF]), Malformed("half of a character", [0x61, 0xC3]),
            Malformed("a long UTF-8 form", [0x62, 0xC0, 0x80]),
            Malformed("five arrays inside each other", [0x81, 0x81, 0x81, 0x81, 0x80]),
            Malformed("20,000 arrays inside each other", [UInt8](repeating: 0x81, count: 20_000) + [0x80]),
            Malformed("20,000 maps inside each other", [UInt8](repeating: 0xA1, count: 20_000)),
            Malformed("33 members", [0x98, 33] + [UInt8](repeating: 0, count: 33)),
        ])
    func `other CBOR is refused`(malformed: Malformed) { #expect(CBOR(malformed.bytes) == nil) }

    @Test func `32 members are read`() {
        let items = [[UInt8]](repeating: [0], count: 32)
        #expect(CBOR(CBORWriter.array(items)) == .array([CBOR](repeating: .integer(0), count: 32)))
    }

    /// Every item has one spelling, apart from the order of its keys, so writing it again gives as many bytes.
    @Test func `random bytes are refused, or are the only spelling of their item`() {
        var generator = SeededGenerator(seed: 77)
        var readCount = 0
        for _ in 0..<50_000 {
            // Heads of short items come up often enough that many texts are read.
            let bytes = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                UInt8.random(in: 0...0xFF, using: &generator) & UInt8.random(in: 0...0xFF, using: &generator)
            }
            guard let item = CBOR(bytes) else { continue }
            readCount += 1
            #expect(written(item).count == bytes.count, "\(bytes)")
        }
        #expect(readCount > 500)
    }

    private func written(_ item: CBOR) -> [UInt8] {
        switch item {
        case .integer(let value): CBORWriter.integer(value)
        case .bytes(let bytes): CBORWriter.bytes(bytes)
        case .text(let text): CBORWriter.text(text)
        case .array(let items): CBORWriter.array(items.map(written))
        case .map(let members): CBORWriter.map(members.map { (written($0.key), written($0.value)) })
        case .bool(let isTrue): [isTrue ? 0xF5 : 0xF4]
        case .null: [0xF6]
        }
    }
}
