import CryptoPrimitives
import Testing

@testable import UserCore

@Suite struct RecoveryCodeTests {
    @Test func `ten different codes are four groups of four`() {
        let codes = RecoveryCode.random()
        #expect(codes.count == 10 && Set(codes.map(\.text)).count == 10)
        for code in codes {
            #expect(code.text.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}/) != nil)
            #expect(RecoveryCode(code.text) == code && code.bytes.count == 10)
        }
    }

    @Test func `digits are Crockford's`() throws {
        let code = try #require(RecoveryCode("0123-4567-89AB-CDEF"))
        #expect(Hex.encode(code.bytes) == "00443214c74254b635cf")
        #expect(RecoveryCode("GHJK-MNPQ-RSTV-WXYZ")?.text == "GHJK-MNPQ-RSTV-WXYZ")
    }

    @Test(arguments: [
        "01ab01ab01ab01ab", "01AB 01AB 01AB 01AB", " 01ab-01ab-01ab-01ab\r\n", "0-1-A-B-01AB01AB01AB",
        "OlAb-oiAB-OIab-oLAB",
    ])
    func `case, spaces, hyphens and look-alikes do not matter`(text: String) {
        #expect(RecoveryCode(text)?.text == "01AB-01AB-01AB-01AB")
    }

    @Test(arguments: [
        "", "01AB-01AB-01AB-01A", "01AB-01AB-01AB-01AB0", "01AB-01AB-01AB-01AU", "01AB_01AB_01AB_01AB",
        "01AB-01AB-01AB-01A\u{E9}", "01AB01AB01AB01AB" + String(repeating: " ", count: 49), "287082",
    ])
    func `other texts are no codes`(text: String) { #expect(RecoveryCode(text) == nil) }

    @Test func `tags belong to one user, one code and one key`() throws {
        let old = try KeyRing(parsing: "k1 " + Hex.encode(SecureRandom.bytes(32)))
        let new = try KeyRing(parsing: "k2 " + Hex.encode(SecureRandom.bytes(32)))
        let both = RecoveryCodeTags(ring: try KeyRing(new.all + old.all))
        let (user, codes) = (UserID.new(), RecoveryCode.random())
        let stored = try #require(RecoveryCodeTags(ring: old).tags(of: codes[0], user: user.bytes).first)
        #expect(stored.count == 32)
        #expect(both.tags(of: codes[0], user: user.bytes).last == stored)
        #expect(both.tags(of: codes[0], user: user.bytes).first != stored)
        #expect(!both.tags(of: codes[1], user: user.bytes).contains(stored))
        #expect(!both.tags(of: codes[0], user: UserID.new().bytes).contains(stored))
    }
}
