import CryptoPrimitives
import InternalAPI
import Testing

@testable import TokenCore

@Suite struct RefreshTokenTests {
    private func token(_ keys: RefreshTokenKeys, generation: Int64 = 3) -> RefreshToken {
        keys.newest.make(locator: 42, generation: generation, secret: SecureRandom.bytes(16))
    }

    @Test func `a token is 64 hex digits behind its prefix and reads back`() throws {
        let keys = RefreshTokenKeys(ring: try TokenFixture.ring())
        let token = token(keys)
        let text = token.text(prefix: "rt_")
        #expect(text.utf8.count == 67)
        let bytes = try #require(RefreshToken.bytes(of: text, prefixes: ["rt_"]))
        #expect(keys.open(bytes) == token)
    }

    @Test func `every altered byte breaks the tag`() throws {
        let keys = RefreshTokenKeys(ring: try TokenFixture.ring())
        let bytes = token(keys).bytes
        for index in bytes.indices {
            var altered = bytes
            altered[index] ^= 1
            #expect(keys.open(altered) == nil)
        }
        #expect(keys.open(Array(bytes.dropLast())) == nil)
    }

    @Test func `one token has one spelling`() throws {
        let digits = String(repeating: "ab", count: 32)
        let refused = [
            digits, "RT_" + digits, "rt_" + digits.uppercased(), "rt_" + digits.dropLast(), "rt_" + digits + "0",
            "rt_ " + digits, "rt_" + digits.replacing("a", with: "g"), "", "rt_",
            "rt_" + digits.replacing("ab", with: "é"),
        ]
        for text in refused { #expect(RefreshToken.bytes(of: text, prefixes: ["rt_"]) == nil, "\(text)") }
        #expect(RefreshToken.bytes(of: "rt_" + digits, prefixes: ["rt_"]) != nil)
    }

    @Test func `the two newest server keys are accepted and the third is not`() throws {
        let lines = TokenFixture.lines(3)
        let keys = RefreshTokenKeys(ring: try TokenFixture.ring(lines))
        let opened = try lines.map { line -> Bool in
            keys.open(token(RefreshTokenKeys(ring: try TokenFixture.ring([line]))).bytes) != nil
        }
        #expect(opened == [true, true, false])
    }

    @Test func `the row number does not show in the token`() throws {
        let keys = RefreshTokenKeys(ring: try TokenFixture.ring())
        let heads = (0..<50).map { _ in Array(token(keys).bytes.prefix(8)) }
        #expect(Set(heads).count == 50)
    }

    @Test func `ten thousand tokens are distinct and their secrets balanced`() throws {
        let keys = RefreshTokenKeys(ring: try TokenFixture.ring())
        var current = token(keys, generation: 0)
        var seen: Set<[UInt8]> = []
        var ones = 0
        for _ in 0..<10_000 {
            current = keys.newest.successor(of: current, seed: SecureRandom.bytes(16))
            seen.insert(current.bytes)
            ones += current.bytes[11..<27].reduce(0) { $0 + $1.nonzeroBitCount }
        }
        #expect(seen.count == 10_000)
        // 1,280,000 bits: five standard deviations are 2,829.
        #expect(abs(ones - 640_000) < 2_829)
    }

    @Test(arguments: ["", " ", "a b", "é", "a\n", "\u{7F}", String(repeating: "x", count: 129)])
    func `an Idempotency-Key is 1 to 128 visible characters`(text: String) {
        #expect(IdempotencyKey(text) == nil)
        #expect(IdempotencyKey(String(repeating: "~", count: 128)) != nil)
        #expect(throws: InvalidInput.self) { try IdempotencyKey.optional(text) }
    }
}
