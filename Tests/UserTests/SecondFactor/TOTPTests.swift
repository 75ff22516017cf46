import CryptoPrimitives
import Testing

@testable import UserCore

@Suite struct TOTPTests {
    /// The secret of RFC 6238, appendix B, and of RFC 4226, appendix D.
    static let totp = TOTP(secret: Array("12345678901234567890".utf8))
    static let now: Int64 = 1_800_000_015
    static let step = now / 30

    /// The RFC prints eight digits; these are the last six.
    @Test(
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ] as [(Int64, String)])
    func `codes are those of RFC 6238`(time: Int64, code: String) {
        #expect(Self.totp.code(at: time / 30) == code)
        #expect(Self.totp.step(of: code, after: nil, now: time) == time / 30)
    }

    @Test(
        arguments: [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
        ].enumerated().map { ($0.offset, $0.element) })
    func `codes are those of RFC 4226`(counter: Int, code: String) {
        #expect(Self.totp.code(at: Int64(counter)) == code)
    }

    @Test(arguments: [(-2, false), (-1, true), (0, true), (1, true), (2, false)] as [(Int64, Bool)])
    func `the current step and its neighbours are accepted`(offset: Int64, isAccepted: Bool) throws {
        let code = try #require(Self.totp.code(at: Self.step + offset))
        #expect(Self.totp.step(of: code, after: nil, now: Self.now) == (isAccepted ? Self.step + offset : nil))
    }

    @Test func `a code is accepted once, and no older one after it`() throws {
        let codes = try (-1...1).map { try #require(Self.totp.code(at: Self.step + $0)) }
        let accepted = try #require(Self.totp.step(of: codes[1], after: Self.step - 1, now: Self.now))
        #expect(Self.totp.step(of: codes[1], after: accepted, now: Self.now) == nil)
        #expect(Self.totp.step(of: codes[0], after: accepted, now: Self.now) == nil)
        #expect(Self.totp.step(of: codes[2], after: accepted, now: Self.now) == accepted + 1)
        // Also when the clock has gone back.
        #expect(Self.totp.step(of: codes[1], after: accepted, now: Self.now - 30) == nil)
    }

    @Test func `other texts are refused`() throws {
        let code = try #require(Self.totp.code(at: Self.step))
        let wrong = String(1_000_000 + (Int(code) ?? 0) ^ 1).dropFirst()
        for text in ["", "0", code + "0", " " + code, String(code.dropLast()), String(wrong), "\u{FF11}\u{FF12}"] {
            #expect(Self.totp.step(of: text, after: nil, now: Self.now) == nil, "\(text)")
        }
        #expect(TOTP.random().secret.count == TOTP.secretByteCount && TOTP.random().secret != TOTP.random().secret)
    }

    @Test func `the URI has the secret in Base32 and encoded names`() {
        #expect(Self.totp.text == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        #expect(
            Self.totp.uri(issuer: "Zoë & Söhne: App", account: "+4915112345678")
                == "otpauth://totp/Zo%C3%AB%20%26%20S%C3%B6hne%20App:%2B4915112345678"
                + "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Zo%C3%AB%20%26%20S%C3%B6hne%20App")
    }

    @Test(
        arguments: [
            (0, 0), (4, 0), (5, 30), (6, 60), (11, 1_920), (12, 3_600), (99, 3_600), (Int.max, 3_600), (-1, 0),
        ] as [(Int, Int64)])
    func `waits double to an hour`(count: Int, seconds: Int64) {
        #expect(SecondFactorGuesses.waitSeconds(afterWrong: count) == seconds)
        #expect(SecondFactorGuesses.totpMax == 100)
    }
}
