import AuthAPI
import StrictJSON
import TestSupport
import Testing

extension Live.HowruTests {
    /// Section 5: limits and lockouts, and how numbers may be written.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct Limits {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `a number may be written as people do, and is of the United States by default`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let digits = Array(phone.dropFirst(2)).map(String.init)
            let local = "(\(digits[0..<3].joined())) \(digits[3..<6].joined())-\(digits[6...].joined())"
            await show("H8") {
                for spelling in [local, "+1 " + local] {
                    let answer = try await stack.gateway.post(
                        "/auth/otp/request", encoding: OTPRequestBody(phoneNumber: spelling))
                    try #require(answer.status == 200, "\(answer.text)")
                }
                try await eventually("both reach the same phone") { try await stack.messages(to: phone).count == 2 }
            }
        }

        @Test func `the fourth code within an hour is refused as printed`() async throws {
            let endpoint = try PrintedEndpoint("Request OTP")
            let phone = [PrintedRequests.phone: LatchkeyStack.freshPhone()]
            await show("H7", "H28", "H64") {
                for _ in 0..<3 { try endpoint.answer(200).check(try await endpoint.send(phone, to: stack.gateway)) }
                let answer = try await endpoint.send(phone, to: stack.gateway)
                let seconds = try endpoint.answer(429).check(answer)["retryAfter"]?.integerValue ?? 0
                try #require((1...3600).contains(seconds) && answer.headers["retry-after"] == "\(seconds)")
            }
        }

        @Test func `the eleventh refresh within a minute is refused and spends nothing`() async throws {
            var token = try await stack.signIn().tokens.refreshToken
            let endpoint = try PrintedEndpoint("Refresh Token")
            await show("H30") {
                for _ in 0..<10 {
                    let answer = try await endpoint.send([PrintedRequests.refreshToken: token], to: stack.gateway)
                    try endpoint.answer(200).check(answer)
                    token = try answer.decoded(TokenReply.self).refreshToken
                }
                let answer = try await endpoint.send([PrintedRequests.refreshToken: token], to: stack.gateway)
                let seconds = try PrintedEndpoint("Request OTP").answer(429).check(answer)["retryAfter"]?.integerValue
                try #require((1...60).contains(seconds ?? 0))
            }
        }
    }
    /// For how many seconds the right code is refused after five wrong ones.
    ///
    /// - Parameter isNew: whether it is a new code, at which nothing was guessed.
    private static func refusal(by stack: LatchkeyStack, ofNewCode isNew: Bool) async throws -> Int64 {
        let phone = LatchkeyStack.freshPhone()
        let endpoint = try PrintedEndpoint("Verify OTP")
        try await stack.requestCode(for: phone)
        let code = try await stack.code(for: phone)
        let wrong = code == "000000" ? "111111" : "000000"
        for _ in 0..<5 {
            let texts = [PrintedRequests.phone: phone, PrintedRequests.code: wrong]
            try endpoint.answer(401).check(try await endpoint.send(texts, to: stack.gateway))
        }
        if isNew { try await stack.requestCode(for: phone) }
        let right = [
            PrintedRequests.phone: phone, PrintedRequests.code: isNew ? try await stack.code(for: phone) : code,
        ]
        let answer = try await endpoint.send(right, to: stack.gateway)
        return try PrintedEndpoint("Request OTP").answer(429).check(answer)["retryAfter"]?.integerValue ?? 0
    }

    // Five attempts an hour and the lockout after five failures, each without the other: both refuse after five wrong codes.
    private static let withoutLockouts = PolicyCopy.path(
        of: "howru", as: "attempts",
        changing: [
            "  lockouts:\n    - { failures: 5, withinSeconds: 3600, lockSeconds: 3600 }\n    - { failures: 10, withinSeconds: 86400, lockSeconds: 86400 }\n":
                "  lockouts: []\n"
        ])
    private static let withoutAttempts = PolicyCopy.path(
        of: "howru", as: "lockouts",
        changing: [
            "  attemptsPerPhone:\n    - { max: 5, windowSeconds: 3600 }":
                "  attemptsPerPhone:\n    - { max: 20, windowSeconds: 3600 }"
        ])

    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": withoutLockouts])) struct AttemptLimit {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `the sixth attempt within an hour is refused without any lockout`() async throws {
            await show("H29") { try #require((1...3600).contains(try await refusal(by: stack, ofNewCode: true))) }
        }
    }

    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": withoutAttempts])) struct Lockout {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        @Test func `five wrong codes lock the number for an hour, though more attempts are allowed`() async throws {
            await show("H31") { try #require((3500...3600).contains(try await refusal(by: stack, ofNewCode: false))) }
        }
    }
}
