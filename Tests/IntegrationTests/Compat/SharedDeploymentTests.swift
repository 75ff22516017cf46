import AuthAPI
import StrictJSON
import TestSupport
import Testing

extension Live {
    /// howru and aarokya in one deployment, over the same users.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(["LATCHKEY_POLICY": SharedDeploymentPolicy.path, "LATCHKEY_ENV": "uat"]))
    struct SharedDeploymentTests {
        /// One user's sessions, one in each API.
        struct Sessions {
            let howru: SignInReply
            let aarokya: AarokyaCalls.Tokens
        }

        let stack: LatchkeyStack
        let calls: AarokyaCalls

        init() throws {
            stack = try #require(RunningStack.current)
            calls = AarokyaCalls(stack: stack)
        }

        /// Signs one phone in at both.
        private func signIn(_ phone: String = AarokyaCalls.freshPhone()) async throws -> Sessions {
            Sessions(howru: try await stack.signIn(phone: "+91" + phone), aarokya: try await calls.signIn(phone))
        }

        @Test func `one phone is one user in both, with tokens by each one's rules`() async throws {
            let sessions = try await signIn()
            let (native, other) = (
                try TokenParts(sessions.howru.tokens.accessToken), try TokenParts(sessions.aarokya.accessToken)
            )
            #expect(sessions.howru.isNewUser && sessions.aarokya.isNewUser == false)
            #expect(native.claims["sub"] == other.claims["user_id"] && native.claims["sub"] == other.claims["sub"])
            #expect(native.header["alg"]?.stringValue == "RS256" && other.header["alg"]?.stringValue == "HS256")
            #expect(native.lifetime == 3600 && other.lifetime == 86_400)
            #expect(native.claims["user_id"] == nil && other.claims["phone"] == nil)
            #expect(sessions.howru.tokens.refreshToken.hasPrefix("rt_") && sessions.aarokya.refreshToken.count == 64)
            #expect(try await stack.gateway.get("/api/hello", bearer: sessions.howru.tokens.accessToken).status == 200)
            #expect(try await stack.gateway.get("/api/hello", bearer: sessions.aarokya.accessToken).status == 200)
        }

        @Test func `a code holds where it was asked for, and UAT's opens nothing in howru`() async throws {
            let phone = AarokyaCalls.freshPhone()
            let verify = try PrintedEndpoint("Verify OTP")
            try await stack.requestCode(for: "+91" + phone)
            let sent = try await stack.code(for: "+91" + phone)
            guard sent != AarokyaCalls.code else { return }
            try AarokyaCalls.success.check(try await calls.trigger(phone))
            #expect(try await stack.messages(to: "+91" + phone).count == 1)
            let texts = [Live.HowruTests.PrintedRequests.phone: "+91" + phone]
            let fixed = texts.merging([Live.HowruTests.PrintedRequests.code: AarokyaCalls.code]) { $1 }
            let real = texts.merging([Live.HowruTests.PrintedRequests.code: sent]) { $1 }
            try verify.answer(401).check(try await verify.send(fixed, to: stack.gateway))
            try AarokyaCalls.invalidOTP.check(try await calls.verify(phone, sent))
            try verify.answer(200).check(try await verify.send(real, to: stack.gateway))
            try AarokyaCalls.signedIn(isNew: false).check(try await calls.verify(phone))
        }

        @Test func `a sign-out in one ends nothing of the other's session`() async throws {
            let (first, second) = (try await signIn(), try await signIn())
            try AarokyaCalls.success.check(try await calls.logOut(first.aarokya.accessToken))
            let body = LogoutBody(refreshToken: second.howru.tokens.refreshToken)
            #expect(try await stack.gateway.post("/auth/logout", encoding: body).status == 200)
            // The promised bound is 100 ms after the answer.
            try await Task.sleep(for: .milliseconds(100))
            #expect(try await calls.profile(first.aarokya.accessToken).status == 401)
            try AarokyaCalls.invalidToken.check(try await calls.refresh(first.aarokya.refreshToken))
            #expect(try await isGood(first.howru.tokens))
            #expect(try await refresh(second.howru.tokens).status == 401)
            try AarokyaCalls.refreshed.check(try await calls.refresh(second.aarokya.refreshToken))
            #expect(try await calls.profile(second.aarokya.accessToken).status == 200)
        }

        @Test func `a deactivation ends both`() async throws {
            let sessions = try await signIn()
            try await calls.change(sessions.howru.user.id, isActive: false)
            try await Task.sleep(for: .milliseconds(100))
            let inactive = AarokyaCalls.refusal(403, "ACCOUNT_INACTIVE")
            try inactive.check(try await calls.profile(sessions.aarokya.accessToken))
            try inactive.check(try await calls.refresh(sessions.aarokya.refreshToken))
            #expect(try await stack.gateway.get("/users/me", bearer: sessions.howru.tokens.accessToken).status == 403)
            #expect(try await refresh(sessions.howru.tokens).status == 403)
        }

        @Test func `howru's lockout holds at aarokya's paths, and aarokya's mistakes count towards it`() async throws {
            let phone = AarokyaCalls.freshPhone()
            try AarokyaCalls.success.check(try await calls.trigger(phone))
            for _ in 0..<4 { try AarokyaCalls.invalidOTP.check(try await calls.verify(phone, "654321")) }
            try await stack.requestCode(for: "+91" + phone)
            let code = try await stack.code(for: "+91" + phone)
            let verify = try PrintedEndpoint("Verify OTP")
            let texts = [Live.HowruTests.PrintedRequests.phone: "+91" + phone]
            let wrong = texts.merging([Live.HowruTests.PrintedRequests.code: code == "000000" ? "1" : "000000"]) { $1 }
            try verify.answer(401).check(try await verify.send(wrong, to: stack.gateway))
            let right = texts.merging([Live.HowruTests.PrintedRequests.code: code]) { $1 }
            #expect(try await verify.send(right, to: stack.gateway).status == 429)
            let answer = try await calls.verify(phone)
            try AarokyaCalls.tooManyAttempts.check(answer)
            #expect((3500...3600).contains(answer.retryAfter))
            try AarokyaCalls.rateLimited.check(try await calls.trigger(phone))
        }

        @Test func `sends count once, and each refuses by its own number`() async throws {
            let phone = AarokyaCalls.freshPhone()
            let request = try PrintedEndpoint("Request OTP")
            let texts = [Live.HowruTests.PrintedRequests.phone: "+91" + phone]
            for _ in 0..<3 { try AarokyaCalls.success.check(try await calls.trigger(phone)) }
            try request.answer(429).check(try await request.send(texts, to: stack.gateway))
            for _ in 0..<2 { try AarokyaCalls.success.check(try await calls.trigger(phone)) }
            try AarokyaCalls.rateLimited.check(try await calls.trigger(phone))
        }

        private func isGood(_ tokens: TokenReply) async throws -> Bool {
            let profile = try await stack.gateway.get("/users/me", bearer: tokens.accessToken)
            let refreshed = try await refresh(tokens)
            return profile.status == 200 && refreshed.status == 200
        }

        private func refresh(_ tokens: TokenReply) async throws -> HTTPAnswer {
            try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: tokens.refreshToken))
        }
    }
}
