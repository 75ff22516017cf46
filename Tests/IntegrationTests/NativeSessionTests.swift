import AuthAPI
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

extension Live {
    /// The requests of a signed-in phone: profile, the app's API, refresh, logout, deletion.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct NativeSessionTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func refresh(_ token: String, key: String? = nil) async throws -> HTTPAnswer {
            try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: token),
                headers: key.map { [("Idempotency-Key", $0)] } ?? [])
        }

        @Test func `the profile can be read and changed, but not its other members`() async throws {
            let signIn = try await stack.signIn(name: "Betty")
            let token = signIn.tokens.accessToken
            let before = try await stack.gateway.get("/users/me", bearer: token)
            #expect(before.status == 200)
            #expect(before.text.contains(signIn.user.id))
            let change = try await stack.gateway.send(
                "PATCH", "/users/me",
                headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
                body: Array(#"{"name":"Elisabeth","isChecker":true,"role":"admin","id":"usr_0"}"#.utf8))
            #expect([200, 400].contains(change.status))
            if change.status == 400 {
                let narrower = try await stack.gateway.send(
                    "PATCH", "/users/me",
                    headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
                    body: Array(#"{"name":"Elisabeth","isChecker":true}"#.utf8))
                #expect(narrower.status == 200)
            }
            let after = try await stack.gateway.get("/users/me", bearer: token)
            #expect(after.text.contains("\"Elisabeth\""))
            #expect(after.text.contains("\"isChecker\":true"))
            #expect(after.text.contains(signIn.user.id))
            #expect(!after.text.contains("admin"))
        }

        @Test func `the app's API sees who calls, whatever the client claims`() async throws {
            let signIn = try await stack.signIn()
            let answer = try await stack.gateway.send(
                "GET", "/api/hello",
                headers: [
                    ("Authorization", "Bearer \(signIn.tokens.accessToken)"), ("X-User-Id", "usr_mallory"),
                    ("x_user_id", "usr_mallory"), ("X-User-Role", "admin"), ("X.User.Role", "admin"),
                ])
            #expect(answer.status == 200)
            #expect(answer.text.contains(signIn.user.id))
            #expect(!answer.text.contains("mallory"))
            #expect(!answer.text.contains("admin"))
            #expect(!answer.text.contains(signIn.tokens.accessToken))
        }

        @Test func `the app's API is closed to a request without a token`() async throws {
            for path in ["/api/hello", "/users/me"] {
                let answer = try await stack.gateway.get(path)
                #expect(answer.status == 401)
                #expect(answer.headers["content-type"]?.hasPrefix("application/problem+json") == true)
                #expect(answer.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
                #expect(try answer.json["success"]?.boolValue == false)
                #expect(try answer.json["error"]?.stringValue == answer.json["code"]?.stringValue)
            }
        }

        @Test(arguments: [nil, "another"])
        func `a refresh rotates both tokens; a second use without its key is 401 and ends the session`(
            key: String?
        ) async throws {
            let signIn = try await stack.signIn()
            let answer = try await refresh(signIn.tokens.refreshToken, key: UUID().uuidString)
            #expect(answer.status == 200)
            #expect(try answer.json.memberNames == ["accessToken", "expiresIn", "refreshToken"])
            let tokens: TokenReply = try answer.decoded()
            #expect(tokens.expiresIn == 3600)
            #expect(tokens.refreshToken != signIn.tokens.refreshToken)
            #expect(tokens.accessToken != signIn.tokens.accessToken)
            #expect(try await stack.gateway.get("/api/hello", bearer: tokens.accessToken).status == 200)

            #expect(try await refresh(signIn.tokens.refreshToken, key: key).status == 401)
            #expect(try await refresh(tokens.refreshToken).status == 401)
            try await eventually("the session's access token is refused") {
                try await stack.gateway.get("/api/hello", bearer: tokens.accessToken).status == 401
            }
        }

        @Test func `a lost answer to a refresh can be asked for again with its Idempotency-Key`() async throws {
            let signIn = try await stack.signIn()
            let key = UUID().uuidString
            let first: TokenReply = try await refresh(signIn.tokens.refreshToken, key: key).decoded()
            let second: TokenReply = try await refresh(signIn.tokens.refreshToken, key: key).decoded()
            #expect(first.refreshToken == second.refreshToken)
            #expect(try await refresh(second.refreshToken).status == 200)
        }

        @Test func `without a key howru gives a lost answer again within a minute, until the next is used`()
            async throws
        {
            let signIn = try await stack.signIn()
            let first: TokenReply = try await refresh(signIn.tokens.refreshToken).decoded()
            let second: TokenReply = try await refresh(signIn.tokens.refreshToken).decoded()
            #expect(first.refreshToken == second.refreshToken)
            let next: TokenReply = try await refresh(second.refreshToken).decoded()
            #expect(try await refresh(signIn.tokens.refreshToken).status == 401)
            #expect(try await refresh(next.refreshToken).status == 401)
        }

        @Test func `a key that made the very token it comes with is 400 and spends nothing`() async throws {
            let signIn = try await stack.signIn()
            let key = UUID().uuidString
            let tokens: TokenReply = try await refresh(signIn.tokens.refreshToken, key: key).decoded()
            let refused = try await refresh(tokens.refreshToken, key: key)
            #expect(refused.status == 400 && refused.text.contains("Use a new key for each refresh"))
            #expect(try await refresh(tokens.refreshToken, key: UUID().uuidString).status == 200)
        }

        @Test(arguments: ["", "with space", String(repeating: "k", count: 129), "\u{e9}"])
        func `a key that is none is 400 and spends nothing`(key: String) async throws {
            let signIn = try await stack.signIn()
            #expect(try await refresh(signIn.tokens.refreshToken, key: key).status == 400)
            #expect(try await refresh(signIn.tokens.refreshToken).status == 200)
        }

        @Test func `the eleventh refresh within a minute is 429 and spends nothing`() async throws {
            var token = try await stack.signIn().tokens.refreshToken
            for _ in 0..<10 {
                let reply: TokenReply = try await refresh(token).decoded()
                token = reply.refreshToken
            }
            for _ in 0..<2 {
                let answer = try await refresh(token)
                #expect(answer.status == 429)
                #expect(answer.headers["retry-after"] != nil)
            }
        }

        @Test func `after a logout the access token is refused at once, and the refresh token for good`() async throws {
            let signIn = try await stack.signIn()
            let tokens = signIn.tokens
            #expect(try await stack.gateway.get("/api/hello", bearer: tokens.accessToken).status == 200)
            let answer = try await stack.gateway.post(
                "/auth/logout", encoding: LogoutBody(refreshToken: tokens.refreshToken))
            #expect(answer.status == 200)
            #expect(try answer.json["success"]?.boolValue == true)
            // The promised bound is 100 ms after the answer.
            try await Task.sleep(for: .milliseconds(100))
            #expect(try await stack.gateway.get("/api/hello", bearer: tokens.accessToken).status == 401)
            #expect(try await stack.gateway.get("/users/me", bearer: tokens.accessToken).status == 401)
            #expect(try await refresh(tokens.refreshToken).status == 401)
        }

        @Test func `another session of the same user outlives a logout`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let first = try await stack.signIn(phone: phone)
            let second = try await stack.signIn(phone: phone)
            _ = try await stack.gateway.post(
                "/auth/logout", encoding: LogoutBody(refreshToken: first.tokens.refreshToken))
            #expect(try await stack.gateway.get("/api/hello", bearer: second.tokens.accessToken).status == 200)
            #expect(try await refresh(second.tokens.refreshToken).status == 200)
        }

        @Test func `logging out with an unknown token is a success that does nothing`() async throws {
            let token = "rt_" + String(repeating: "0123456789abcdef", count: 4)
            let answer = try await stack.gateway.post("/auth/logout", encoding: LogoutBody(refreshToken: token))
            #expect(answer.status == 200)
        }

        @Test func `deleting the account ends all its sessions`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let first = try await stack.signIn(phone: phone)
            let second = try await stack.signIn(phone: phone)
            let answer = try await stack.gateway.send(
                "DELETE", "/users/me", headers: [("Authorization", "Bearer \(first.tokens.accessToken)")])
            #expect(answer.status == 200)
            #expect(try answer.json.memberNames == ["message", "success"])
            #expect(
                try answer.json["message"]?.stringValue
                    == "Account scheduled for deletion. All sessions have been logged out.")
            try await Task.sleep(for: .milliseconds(100))
            for tokens in [first.tokens, second.tokens] {
                #expect(
                    [401, 403].contains(try await stack.gateway.get("/api/hello", bearer: tokens.accessToken).status))
                #expect([401, 403].contains(try await refresh(tokens.refreshToken).status))
            }
        }
    }
}
