import AuthAPI
import StrictJSON
import TestSupport
import Testing

extension Live.HowruTests {
    /// Statements that need time to pass, with the shortest times that a policy may set; in the long form only.
    @Suite(.serialized, .enabled(if: LongRun.isOn), .timeLimit(.minutes(10))) struct Waiting {
        @Test func `a code is refused once its time is over`() async throws {
            // That the policy says five minutes is why its text has this line to be changed.
            try await LatchkeyStack.run(
                name: "howru-code-expiry", policy: ["  lifetimeSeconds: 300 ": "  lifetimeSeconds: 30 "]
            ) { stack in
                let phone = LatchkeyStack.freshPhone()
                try await stack.requestCode(for: phone)
                let code = try await stack.code(for: phone)
                try await Task.sleep(for: .seconds(31))
                await show("H35") {
                    let endpoint = try PrintedEndpoint("Verify OTP")
                    let texts = [PrintedRequests.phone: phone, PrintedRequests.code: code]
                    try endpoint.answer(401).check(try await endpoint.send(texts, to: stack.gateway))
                    _ = try await stack.signIn(phone: phone)
                }
            }
        }

        @Test func `ten wrong codes within a day lock the number for a day`() async throws {
            // The first lock as short as may be, of mistakes that are as close, and no limit of guesses in its way.
            let policy = [
                "failures: 5, withinSeconds: 3600, lockSeconds: 3600":
                    "failures: 5, withinSeconds: 60, lockSeconds: 60",
                "    - { max: 5, windowSeconds: 3600 }": "    - { max: 20, windowSeconds: 3600 }",
            ]
            try await LatchkeyStack.run(name: "howru-day-lock", policy: policy) { stack in
                let phone = LatchkeyStack.freshPhone()
                await show("H32") {
                    let first = try await fiveWrongCodes(phone, stack)
                    try #require((1...60).contains(first))
                    try await Task.sleep(for: .seconds(first + 1))
                    let second = try await fiveWrongCodes(phone, stack)
                    try #require((86_000...86_400).contains(second), "\(second)")
                }
            }
        }

        /// Presents five wrong codes, and returns for how many seconds the number is locked.
        private func fiveWrongCodes(_ phone: String, _ stack: LatchkeyStack) async throws -> Int64 {
            try await stack.requestCode(for: phone)
            let wrong = try await stack.code(for: phone) == "000000" ? "111111" : "000000"
            let (verify, request) = (try PrintedEndpoint("Verify OTP"), try PrintedEndpoint("Request OTP"))
            let texts = [PrintedRequests.phone: phone, PrintedRequests.code: wrong]
            for _ in 0..<5 { try verify.answer(401).check(try await verify.send(texts, to: stack.gateway)) }
            let limited = try request.answer(429).check(try await verify.send(texts, to: stack.gateway))
            return limited["retryAfter"]?.integerValue ?? 0
        }

        @Test func `a deleted account is removed on its day`() async throws {
            try await LatchkeyStack.run(name: "howru-removal") { stack in
                let session = try await stack.signIn()
                await show("H21") {
                    let answer = try await PrintedEndpoint("Delete Account").send(
                        bearer: session.tokens.accessToken, to: stack.gateway)
                    try #require(answer.status == 200)
                    let row = "users WHERE id = x'\(session.user.id.dropFirst(4))'"
                    let wait = "SELECT deletion_due_at - unixepoch() FROM \(row)"
                    let seconds = try await stack.sql("users", wait).first.flatMap { Int($0) } ?? 0
                    try #require((2_591_900...2_592_000).contains(seconds), "thirty days of grace")
                    let due = "UPDATE users SET deletion_due_at = unixepoch() WHERE id = x'"
                    _ = try await stack.sql("users", due + "\(session.user.id.dropFirst(4))'")
                    try await eventually("the user is removed", within: .seconds(100)) {
                        try await stack.sql("users", "SELECT count(*) FROM \(row)") == ["0"]
                    }
                }
            }
        }
    }
}
