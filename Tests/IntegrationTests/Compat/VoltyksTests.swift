import AuthAPI
import TestSupport
import Testing

extension Live.VoltyksTests {
    /// The policy `voltyks`.
    @Suite(
        .serialized, .timeLimit(.minutes(10)),
        .stack(["LATCHKEY_POLICY": "voltyks", "LATCHKEY_LOG_LEVEL": "trace"]))
    struct PrintedRequests {
        let stack: LatchkeyStack
        let calls: VoltyksCalls

        init() throws {
            stack = try #require(RunningStack.current)
            calls = VoltyksCalls(gateway: stack.gateway)
        }

        @Test func `one user's life in the printed requests has the printed answers`() async throws {
            let tokens = await VoltyksLife(calls: calls, user: try await stack.newPasswordUser()).run()
            let hello = try await stack.gateway.get("/api/hello", bearer: try #require(tokens).access)
            #expect(hello.status == 200)
        }

        @Test(arguments: ["/api/auth/refreshtoken", "/API/AUTH/REFRESHTOKEN", "/api/Auth/RefreshToken"])
        func `paths are read without case`(path: String) async throws {
            let tokens = try await calls.signIn(try await stack.newPasswordUser())
            await show("V1") {
                try VoltyksCalls.refreshed.check(try await calls.refresh(tokens.refreshToken, path: path))
            }
        }

        @Test func `a refresh token lives for seven days from each use, and has no other end`() async throws {
            let tokens = try await calls.signIn(try await stack.newPasswordUser())
            let next = try await calls.refreshed(tokens.refreshToken)
            await show("V9") {
                let row = try LatchkeyStack.row(of: next.refreshToken)
                let lifetime = "SELECT idle_expires_at - last_used_at FROM sessions WHERE \(row)"
                try #require(try await stack.sql("tokens", lifetime) == ["604800"])
            }
        }

        @Test func `with an Idempotency-Key a lost answer is had again`() async throws {
            let token = try await calls.signIn(try await stack.newPasswordUser()).refreshToken
            let headers = [("Authorization", "Bearer \(token)"), ("Idempotency-Key", "one")]
            var answers: [VoltyksCalls.Tokens] = []
            for _ in 0..<2 {
                let answer = try await stack.gateway.send("POST", VoltyksCalls.refreshPath, headers: headers)
                try VoltyksCalls.refreshed.check(answer)
                answers.append(try VoltyksCalls.tokens(in: answer))
            }
            #expect(answers[0].refreshToken == answers[1].refreshToken)
            try VoltyksCalls.mismatch.check(try await calls.refresh(token))
        }

        @Test func `an expired token and one of an inactive user are a mismatch`() async throws {
            let (expired, user) = (
                try await calls.signIn(try await stack.newPasswordUser()), try await stack.newPasswordUser()
            )
            let tokens = try await calls.signIn(user)
            await show("V14") {
                let row = try LatchkeyStack.row(of: expired.refreshToken)
                _ = try await stack.sql("tokens", "UPDATE sessions SET idle_expires_at = unixepoch() - 1 WHERE \(row)")
                try VoltyksCalls.mismatch.check(try await calls.refresh(expired.refreshToken))
                try await stack.change(user.signIn.user.id, isActive: false)
                try VoltyksCalls.mismatch.check(try await calls.refresh(tokens.refreshToken))
                try VoltyksCalls.invalidCredentials.check(try await calls.logIn(user.address, user.password))
            }
        }

        @Test func `what the edge refuses is a problem that signs nobody out`() async throws {
            await show("V39") {
                try VoltyksCalls.expectProblem(401, try await stack.gateway.get("/api/hello"))
                try VoltyksCalls.expectProblem(401, try await stack.gateway.get("/api/hello", bearer: "bad"))
                try VoltyksCalls.expectProblem(404, try await stack.gateway.get("/nothing/here"))
                try VoltyksCalls.expectProblem(405, try await stack.gateway.get(VoltyksCalls.refreshPath))
                try VoltyksCalls.expectProblem(400, try await stack.gateway.post(VoltyksCalls.loginPath, "{"))
            }
        }

        @Test func `without codes their paths are nobody's, and a review access is refused for that`() async throws {
            for path in ["/auth/otp/request", "/auth/otp/verify"] {
                try VoltyksCalls.expectProblem(404, try await stack.gateway.post(path, "{}"))
            }
            let refused = try await stack.control("otp review-access +15555550123 --until 2099-12-31")
            #expect(!refused.isSuccess && refused.output.contains("otp: none"), "\(refused.output)")
        }

        @Test func `no token is in a log`() async throws {
            let tokens = try await calls.signIn(try await stack.newPasswordUser())
            await show("V35") {
                let next = try await calls.refreshed(tokens.refreshToken)
                try VoltyksCalls.mismatch.check(try await calls.refresh(tokens.refreshToken))
                try #require(try await stack.gateway.get("/api/hello", bearer: next.access).status == 200)
                try stack.expectNoLog(
                    of: [tokens.access, tokens.refreshToken, next.access, next.refreshToken])
            }
        }

        @Test(arguments: PrintedClient.inThisRun)
        func `the printed client does what the document says`(_ client: PrintedClient) async throws {
            let user = try await stack.newPasswordUser()
            try await withCompatProxy(before: stack.gateway) { gateway in
                try await client.program("voltyks", "whole", at: gateway.base, user).show()
            }
        }

        @Test(arguments: PrintedClient.inThisRun)
        func `a call that is refused twice is not made a third time`(_ client: PrintedClient) async throws {
            let user = try await stack.newPasswordUser()
            let refused = try await stack.gateway.get("/api/hello", bearer: "bad")
            try await withCompatProxy(before: stack.gateway, .answer(refused), at: "/api/chargers") { gateway in
                try await client.program("voltyks", "refused-twice", at: gateway.base, user).show()
            }
        }
    }
}
