import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

extension Live.AarokyaTests {
    /// The policy `aarokya` outside UAT: codes are real ones.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": "aarokya"]))
    struct InDevelopment {
        @Test func `a real code is sent, and UAT's opens nothing`() async throws {
            let stack = try #require(RunningStack.current)
            let calls = AarokyaCalls(stack: stack)
            let phone = AarokyaCalls.freshPhone()
            await show("A6", "A1") {
                try AarokyaCalls.success.check(try await calls.trigger(phone))
                let code = try await stack.code(for: "+91" + phone)
                try #require(code.count == 6 && code.allSatisfy { "0123456789".contains($0) })
                if code != AarokyaCalls.code { try AarokyaCalls.invalidOTP.check(try await calls.verify(phone)) }
                try AarokyaCalls.signedIn(isNew: true).check(try await calls.verify(phone, code))
            }
        }
    }

    /// Limits of the edge, which hold for addresses of this machine only where a setting says so.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct AtTheEdge {
        @Test func `a limit of the edge is RATE_LIMIT_EXCEEDED at our endpoints and at the app's`()
            async throws
        {
            var policy = try PolicyCopy(of: "aarokya")
            try policy.replace("routes:", with: "edge:\n  authLimit: { max: 20, windowSeconds: 3600 }\n\nroutes:")
            try policy.replace(
                "    access: bearer", with: "    limit: { max: 10, windowSeconds: 3600, per: user }\n    access: bearer"
            )
            let settings = [
                "LATCHKEY_POLICY": try policy.written(as: "edge-limits"), "LATCHKEY_ENV": "uat",
                "LATCHKEY_LIMIT_LOCAL": "1",
            ]
            try await LatchkeyStack.run(name: "aarokya-edge", environment: settings) { stack in
                let calls = AarokyaCalls(stack: stack)
                let token = try await calls.signIn().accessToken
                for path in ["/api/hello", "/user/profile"] {
                    var answer = try await stack.gateway.get(path, bearer: token)
                    for _ in 0..<50 where answer.status == 200 {
                        answer = try await stack.gateway.get(path, bearer: token)
                    }
                    try AarokyaCalls.rateLimited.check(answer)
                    #expect((1...3600).contains(answer.retryAfter))
                }
            }
        }
    }

    /// Statements that need time to pass, with the shortest times that a policy may set; in the long form only.
    @Suite(.serialized, .enabled(if: LongRun.isOn), .timeLimit(.minutes(10))) struct Waiting {
        @Test func `a code and an access token are refused once their time is over`() async throws {
            var policy = try PolicyCopy(of: "aarokya")
            // That the policy says ten minutes and a day is why its text has these lines to be changed.
            try policy.replace("  lifetimeSeconds: 600", with: "  lifetimeSeconds: 30")
            try policy.replace("accessLifetimeSeconds: 86400", with: "accessLifetimeSeconds: 60")
            let settings = ["LATCHKEY_POLICY": try policy.written(as: "short-lives"), "LATCHKEY_ENV": "uat"]
            try await LatchkeyStack.run(name: "aarokya-short-lives", environment: settings) { stack in
                let calls = AarokyaCalls(stack: stack)
                let (tokens, phone) = (try await calls.signIn(), AarokyaCalls.freshPhone())
                await show("A2", "A25") {
                    try AarokyaCalls.success.check(try await calls.trigger(phone))
                    let native = "+91" + AarokyaCalls.freshPhone()
                    try await stack.requestCode(for: native)
                    try await Task.sleep(for: .seconds(31))
                    for code in [AarokyaCalls.code, "654321"] {
                        try AarokyaCalls.refusal(401, "OTP_EXPIRED").check(try await calls.verify(phone, code))
                    }
                    try await expectExpired(native, AarokyaCalls.code, stack)
                    try AarokyaCalls.profile.check(try await calls.profile(tokens.accessToken))
                }
                await show("A26") {
                    try await Task.sleep(for: .seconds(30))
                    try AarokyaCalls.invalidToken.check(try await calls.profile(tokens.accessToken))
                    let pair: AarokyaCalls.Tokens = try await calls.refresh(tokens.refreshToken).decoded()
                    try AarokyaCalls.profile.check(try await calls.profile(pair.accessToken))
                }
            }
        }

        /// Expects that native tells an expired code from one that was never sent, and nothing else: a right and a wrong guess
        /// have one response.
        private func expectExpired(_ phone: String, _ code: String, _ stack: LatchkeyStack) async throws {
            var texts: Set<String> = []
            for guess in [code, code == "000000" ? "111111" : "000000"] {
                let answer = try await stack.gateway.post(
                    AarokyaCalls.verifyPath, #"{"phoneNumber": "\#(phone)", "code": "\#(guess)"}"#)
                #expect(try answer.status == 401 && answer.json["code"]?.stringValue == "code_expired")
                texts.insert(answer.text)
            }
            #expect(texts.count == 1)
            let unknown = try await stack.gateway.post(
                AarokyaCalls.verifyPath, #"{"phoneNumber": "+91\#(AarokyaCalls.freshPhone())", "code": "\#(code)"}"#)
            #expect(try unknown.json["code"]?.stringValue == "invalid_code")
        }
    }
}
