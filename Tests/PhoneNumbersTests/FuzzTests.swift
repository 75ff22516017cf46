import PhoneNumbers
import Testing

/// SplitMix64, so that a failure can be repeated by its seed.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

@Suite struct FuzzTests {
    private static let digits = (0...9).map(String.init)
    private static let pieces = [
        "+", "0", "1", "2", "5", "9", "00", " ", "-", "(", ")", ".", "x", "ext", ";", "=", "#", ",", "\u{200E}", "４",
        "٣", "\u{0}",
        "\n", "é", "e\u{301}", "👩‍👩‍👧", "½", "\u{FFFF}", "US",
    ]

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `no text ends the process, and what is read reads as itself`(_ seed: UInt64) throws {
        var generator = SeededGenerator(state: seed)
        var read = 0
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...24, using: &generator)
            let digitShare = Double.random(in: 0...1, using: &generator)
            let text = (0..<length).map { _ in
                let isDigit = Double.random(in: 0...1, using: &generator) < digitShare
                return (isDigit ? Self.digits : Self.pieces).randomElement(using: &generator) ?? ""
            }.joined()
            let region = ["US", "IN", "DE", "IT", "", "💥", nil].randomElement(using: &generator) ?? nil
            guard let number = try? PhoneNumber(parsing: text, region: region) else { continue }
            read += 1
            let again = try PhoneNumber(parsing: number.e164)
            #expect(again == number, "\(text.debugDescription)")
            #expect(number.e164.utf8.count <= 16)
            #expect(number.e164.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) })
        }
        #expect(read > 500)
    }
}
