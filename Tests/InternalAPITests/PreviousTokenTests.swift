import InternalAPI
import Testing

/// Which texts may be refresh tokens of the old server, and what derives from them.
@Suite struct PreviousTokenTests {
    @Test(
        arguments: ["abcdefgh2345", "ABCdef234567"]
            + [51, 57, 63].map { String(repeating: "a-_Z9", count: 13).prefix($0).description })
    func `tokens of both versions are recognised`(text: String) throws {
        let token = try #require(PreviousToken(text))
        #expect(token.text == text)
        #expect(!token.grantID.contains(text) && !token.idempotencyKey.contains(text))
        #expect(token.grantID != PreviousToken("zbcdefgh2345")?.grantID)
    }

    @Test(arguments: [
        "", "abcdefgh234", "abcdefgh23456", "abcdefgh234\u{E9}", "abcdefgh234-", "abcdefgh 345", "abcdefgh234\u{0}",
        String(repeating: "a", count: 50), String(repeating: "a", count: 64), String(repeating: "a", count: 50) + "+",
        "rt_" + String(repeating: "0", count: 64), "sb_secret_0123456789012345678901",
    ])
    func `no other text is one, above all none of ours`(text: String) { #expect(PreviousToken(text) == nil) }

    @Test func `the key of a token is one that token-service accepts`() throws {
        let token = try #require(PreviousToken("abcdefgh2345"))
        #expect(IdempotencyKey(token.idempotencyKey) != nil)
        #expect(token == PreviousToken("abcdefgh2345"))
    }
}
