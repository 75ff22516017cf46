import AccessTokens
import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import InternalAPI
import TestSupport
import Testing

extension Live {
    /// An attacker between our processes can withhold responses, but cannot make a process accept a forged one.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct AnswerSwapTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        /// A gateway that reaches `service` through somebody else.
        private func withGateway(
            through setting: String, to service: String, swapping swap: AnswerSwapper.Swap? = nil,
            _ body: @Sendable (TestHTTPClient, AnswerSwapper, ProcessTwin.Running) async throws -> Void
        ) async throws {
            try await withAnswerSwapper(before: try stack.service(service)) { between in
                if let swap { between.set(swap) }
                try await ProcessTwin(of: "gateway", in: stack).run(settings: [setting: between.url]) { twin in
                    try await body(twin.service, between, twin)
                }
            }
        }

        private func isReady(_ process: ProcessTwin.Running) async -> Bool {
            do { return try await process.operations.get("/readyz").status == 200 } catch { return false }
        }

        private func refresh(
            _ token: String, key: String, at gateway: TestHTTPClient
        ) async throws -> HTTPAnswer {
            try await gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: token), headers: [("Idempotency-Key", key)])
        }

        @Test func `a swapped key set is not taken, and a token under its key opens nothing`() async throws {
            let session = try await stack.openSession()
            let foreign = try SigningKey.generate(keyID: "foreign", algorithm: .EdDSA)
            let jwks = try JSONEncoder().encode(JSONWebKeySet(keys: [foreign.verificationKey.jwk].compactMap { $0 }))
            let swap: AnswerSwapper.Swap = { call, ask in
                call.path == TokenOperations.keySet.path ? try await ask().with(body: Array(jwks)) : nil
            }
            try await withGateway(through: "TOKEN_URL", to: "token", swapping: swap) { gateway, between, twin in
                try await eventually("the keys were asked for") { between.swapCount > 0 }
                try await eventually("the gateway answers") {
                    do { return try await gateway.get("/api/hello", bearer: session.accessToken).status == 503 } catch {
                        return false
                    }
                }
                #expect(await !isReady(twin))
                let parts = session.accessToken.split(separator: ".")
                let claims = try #require(parts.count == 3 ? parts[1] : nil)
                let forged = try CompactJWS.sign(
                    try #require(Base64URL.decode(claims)), type: "at+jwt", with: foreign)
                #expect(try await gateway.get("/api/hello", bearer: forged).status == 503)
                // Without the attacker the same gateway has the true keys.
                between.set { _, _ in nil }
                try await eventually("the gateway is ready") { await isReady(twin) }
                #expect(try await gateway.get("/api/hello", bearer: session.accessToken).status == 200)
                #expect(try await gateway.get("/api/hello", bearer: forged).status == 401)
            }
        }

        @Test func `a swapped token is 503, and the retry has the true one`() async throws {
            let (mine, others) = (try await stack.openSession(), try await stack.openSession())
            try await withGateway(through: "TOKEN_URL", to: "token") { gateway, between, twin in
                try await eventually("the gateway is ready") { await isReady(twin) }
                // The answer to one call, proof and all, as the answer to another.
                let kept = try #require(try await keep(refreshOf: others, at: gateway, between))
                between.set { call, ask in
                    guard call.path == TokenOperations.refresh.path else { return nil }
                    _ = try await ask()
                    return kept
                }
                let swapped = try await refresh(mine.refreshToken, key: "k", at: gateway)
                #expect(swapped.status == 503, "\(swapped.text)")
                #expect((Int(swapped.headers["retry-after"] ?? "") ?? 0) > 0)
                between.set { call, ask in
                    guard call.path == TokenOperations.refresh.path else { return nil }
                    return try await ask().with(status: 401)
                }
                #expect(try await refresh(mine.refreshToken, key: "k", at: gateway).status == 503)
                between.set { _, _ in nil }
                let answer = try await refresh(mine.refreshToken, key: "k", at: gateway)
                #expect(answer.status == 200)
                let tokens: TokenReply = try answer.decoded()
                #expect(try await stack.gateway.get("/api/hello", bearer: tokens.accessToken).status == 200)
            }
        }

        /// Returns token-service's response when the session is refreshed.
        private func keep(
            refreshOf session: TokenSet, at gateway: TestHTTPClient, _ between: AnswerSwapper
        ) async throws -> HTTPAnswer? {
            let box = AnswerBox()
            between.set { call, ask in
                guard call.path == TokenOperations.refresh.path else { return nil }
                let answer = try await ask()
                await box.put(answer)
                return answer
            }
            #expect(try await refresh(session.refreshToken, key: "o", at: gateway).status == 200)
            return await box.answer
        }

        private actor AnswerBox {
            private(set) var answer: HTTPAnswer?
            func put(_ answer: HTTPAnswer) { self.answer = answer }
        }

        @Test func `a swapped statement about a code opens no session`() async throws {
            try await withGateway(through: "OTP_URL", to: "otp") { gateway, between, twin in
                try await eventually("the gateway is ready") { await isReady(twin) }
                let box = AnswerBox()
                between.set { call, ask in
                    guard call.path == OTPOperations.verify.path else { return nil }
                    let answer = try await ask()
                    await box.put(answer)
                    return answer
                }
                let phone = LatchkeyStack.freshPhone()
                try await stack.requestCode(for: phone)
                let right = OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: try await stack.code(for: phone))
                #expect(try await gateway.post("/auth/otp/verify", encoding: right).status == 200)
                let approved = try #require(await box.answer)
                let users = try await DatabaseCheck(of: stack).records().createdUsers
                between.set { call, ask in
                    guard call.path == OTPOperations.verify.path else { return nil }
                    return try await ask().with(body: approved.body)
                }
                let victim = LatchkeyStack.freshPhone()
                try await stack.requestCode(for: victim)
                let wrong = OTPVerifyBody(phoneNumber: victim, countryCode: "US", code: "000000")
                #expect(try await gateway.post("/auth/otp/verify", encoding: wrong).status == 503)
                #expect(try await DatabaseCheck(of: stack).records().createdUsers == users)
            }
        }

        @Test(.onFiles) func `a revocation that somebody else calls done stays in the outbox until it is`() async throws
        {
            let session = try await stack.signIn()
            // The stack's own user-service would deliver the row past the swapper: it is stopped (SIGSTOP) until later.
            try stack.signal("user", 19)
            defer { #expect(throws: Never.self) { try stack.signal("user", 18) } }
            try await withAnswerSwapper(before: try stack.service("token")) { between in
                between.set { call, ask in
                    guard call.path == TokenOperations.revokeUser.path else { return nil }
                    return HTTPAnswer(
                        status: 200, headers: ["content-type": "application/json"], body: Array("{}".utf8))
                }
                try await ProcessTwin(of: "user", in: stack).run(settings: ["TOKEN_URL": between.url]) { user in
                    try await eventually("user-service is ready") { await isReady(user) }
                    try await ProcessTwin(of: "gateway", in: stack).run(settings: ["USER_URL": user.service.base]) {
                        gateway in
                        try await eventually("the gateway is ready") { await isReady(gateway) }
                        let answer = try await gateway.service.send(
                            "DELETE", "/users/me",
                            headers: [("Authorization", "Bearer \(session.tokens.accessToken)")])
                        #expect(answer.status == 503, "\(answer.text)")
                    }
                    #expect(between.swapCount > 0)
                    #expect(try DatabaseCheck(of: stack).waitingMessages() == 1)
                }
            }
            try stack.signal("user", 18)
            // The stack's own user-service reaches token-service, once the lease of the one that has ended is over.
            try await eventually("the sessions are over") {
                try await stack.gateway.get("/api/hello", bearer: session.tokens.accessToken).status != 200
            }
            try await eventually("nothing waits") {
                try DatabaseCheck(of: stack).waitingMessages() == 0
            }
        }
    }
}
