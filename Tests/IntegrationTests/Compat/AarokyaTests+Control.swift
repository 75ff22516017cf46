import TestSupport
import Testing

extension Live.AarokyaTests.InUAT {
    @Test func `control: an answer that differs in a member, a code or a status is found`() async throws {
        let phone = AarokyaCalls.freshPhone()
        let sent = try await calls.trigger(phone)
        try expectSpoilingsAreFound(in: sent, by: AarokyaCalls.success, count: 4)
        let signedIn = try await calls.verify(phone)
        try expectSpoilingsAreFound(in: signedIn, by: AarokyaCalls.signedIn(isNew: true), count: 10)
        let tokens: AarokyaCalls.Tokens = try signedIn.decoded()
        let profile = try await calls.profile(tokens.accessToken)
        try expectSpoilingsAreFound(in: profile, by: AarokyaCalls.profile, count: 10)
        let refreshed = try await calls.refresh(tokens.refreshToken)
        try expectSpoilingsAreFound(in: refreshed, by: AarokyaCalls.refreshed, count: 7)
        let refused = try await calls.refresh(tokens.refreshToken)
        try expectSpoilingsAreFound(in: refused, by: AarokyaCalls.invalidToken, count: 6)
    }

    @Test func `control: the printed TypeScript's run finds a misspelled member or code`() async throws {
        let words = ["access_token", "refresh_token", "access_token_expires_at", "is_new_user", "phone_number"]
        let all = (words + ["success", "error", "INVALID_TOKEN"]).joined(separator: " ")
        let outcome = try await Shell.run(
            "Tests/Compat/aarokya/run-typescript '\(stack.gateway.base)' \(all)", in: LatchkeyStack.root)
        #expect(outcome.isSuccess, "\(outcome.output)")
    }

    @Test(arguments: ["access_token", "refresh_token", "id", "phone_number"])
    func `control: the printed Swift's run finds a misspelled member`(word: String) async throws {
        let tokens = try await calls.signIn()
        let client = try ClientProgram(built: "compat-aarokya", stack.gateway.base)
        #expect(
            try await client.notices(
                spoiling: word,
                [
                    "AAROKYA_ACCESS_TOKEN": tokens.accessToken, "AAROKYA_REFRESH_TOKEN": tokens.refreshToken,
                ]))
    }
}
