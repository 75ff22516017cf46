import StrictJSON
import TestSupport
import Testing

extension Live.AarokyaTests {
    /// The policy `aarokya` in UAT, where the code is always the same.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(["LATCHKEY_POLICY": "aarokya", "LATCHKEY_ENV": "uat", "LATCHKEY_LOG_LEVEL": "trace"]))
    struct InUAT {
        let stack: LatchkeyStack
        let calls: AarokyaCalls

        init() throws {
            stack = try #require(RunningStack.current)
            calls = AarokyaCalls(stack: stack)
        }

        @Test func `the printed curl lines have the promised answers`() async throws {
            let lines = try CurlLines()
            var tokens: [String: String] = [:]
            await show("A3", "A4", "A50") {
                try AarokyaCalls.success.check(try await lines.run(0, at: stack.gateway.base))
            }
            await show("A7", "A50") {
                let answer = try await lines.run(1, at: stack.gateway.base)
                try AarokyaCalls.signedIn(isNew: true).check(answer)
                let pair = try answer.decoded(AarokyaCalls.Tokens.self)
                tokens = ["<access_token>": pair.accessToken, "<refresh_token>": pair.refreshToken]
            }
            await show("A4", "A10", "A50") {
                let answer = try await lines.run(2, at: stack.gateway.base, filling: tokens)
                let profile = try AarokyaCalls.profile.check(answer)
                try #require(profile["phone_number"]?.stringValue == "+919876543210")
            }
            await show("A14", "A50") {
                try AarokyaCalls.refreshed.check(
                    try await lines.run(3, at: stack.gateway.base, filling: tokens))
            }
        }

        @Test func `the code is always the same, and nothing is sent`() async throws {
            let phone = AarokyaCalls.freshPhone()
            await show("A5") {
                for isNew in [true, false] {
                    try AarokyaCalls.success.check(try await calls.trigger(phone))
                    try AarokyaCalls.signedIn(isNew: isNew).check(try await calls.verify(phone))
                }
                try #require(try await stack.messages().isEmpty)
            }
        }

        @Test func `the printed TypeScript does what the document says`() async throws {
            try await ClientProgram("Tests/Compat/aarokya/run-typescript '\(stack.gateway.base)'").show()
        }

        @Test func `the printed Swift does what the document says`() async throws {
            let tokens = try await calls.signIn()
            try await ClientProgram(built: "compat-aarokya", stack.gateway.base).show([
                "AAROKYA_ACCESS_TOKEN": tokens.accessToken, "AAROKYA_REFRESH_TOKEN": tokens.refreshToken,
            ])
        }
    }
}
