import AuthAPI
import StrictJSON
import TestSupport
import Testing

extension Live.HowruTests {
    /// Section 5: limits and lockouts, and how numbers may be written.
    @Suite(.serialized, .timeLimit(.minutes(4)), .stack()) struct Limits {
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

        @Test func `five wrong codes lock the number for an hour, for the right code too`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let code = try await stack.code(for: phone)
            let endpoint = try PrintedEndpoint("Verify OTP")
            await show("H29", "H31") {
                let wrong = code == "000000" ? "111111" : "000000"
                let texts = [PrintedRequests.phone: phone, PrintedRequests.code: wrong]
                for _ in 0..<5 { try endpoint.answer(401).check(try await endpoint.send(texts, to: stack.gateway)) }
                let right = [PrintedRequests.phone: phone, PrintedRequests.code: code]
                let answer = try await endpoint.send(right, to: stack.gateway)
                let limited = try PrintedEndpoint("Request OTP").answer(429)
                let seconds = try limited.check(answer)["retryAfter"]?.integerValue ?? 0
                try #require((3500...3600).contains(seconds))
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
}
