import TestSupport
import Testing

extension Live.AarokyaTests {
    /// In UAT over https alone, as the document's base URL is.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack([
            "LATCHKEY_POLICY": "aarokya", "LATCHKEY_ENV": "uat", "LATCHKEY_TLS_PORT": "0", "LATCHKEY_PLAIN": "redirect",
        ]))
    struct OverTLS {
        let stack: LatchkeyStack
        let gateway: String

        init() throws {
            stack = try #require(RunningStack.current)
            gateway = try #require(stack.tls)
        }

        @Test func `the printed curl lines have the promised answers, and without TLS none of them is served`()
            async throws
        {
            let lines = try CurlLines()
            var tokens: [String: String] = [:]
            await show("A45") {
                try AarokyaCalls.success.check(try await lines.run(0, at: gateway, trusting: stack.authority))
                let answer = try await lines.run(1, at: gateway, trusting: stack.authority)
                try AarokyaCalls.signedIn(isNew: true).check(answer)
                let pair = try answer.decoded(AarokyaCalls.Tokens.self)
                tokens = ["<access_token>": pair.accessToken, "<refresh_token>": pair.refreshToken]
                for (index, shape) in [(2, AarokyaCalls.profile), (3, AarokyaCalls.refreshed)] {
                    try shape.check(try await lines.run(index, at: gateway, filling: tokens, trusting: stack.authority))
                }
                for index in 0..<4 {
                    let refusal = try await lines.run(index, at: stack.gateway.base, filling: tokens)
                    try #require(refusal.status == 403, "\(index): \(refusal.status) \(refusal.text)")
                }
            }
        }

        @Test func `the printed TypeScript and Swift do what the document says`() async throws {
            guard try await ClientProgram.canTrust() else {
                try Test.cancel("SKIPPED: this user may make no file system of a program's own")
            }
            try await ClientProgram("Tests/Compat/aarokya/run-typescript '\(gateway)'").trusting(stack.authority)
                .show()
            let lines = try CurlLines()
            try AarokyaCalls.success.check(try await lines.run(0, at: gateway, trusting: stack.authority))
            let answer = try await lines.run(1, at: gateway, trusting: stack.authority)
            let tokens = try answer.decoded(AarokyaCalls.Tokens.self)
            try await ClientProgram(built: "compat-aarokya", gateway).trusting(stack.authority).show([
                "AAROKYA_ACCESS_TOKEN": tokens.accessToken, "AAROKYA_REFRESH_TOKEN": tokens.refreshToken,
            ])
        }
    }
}
