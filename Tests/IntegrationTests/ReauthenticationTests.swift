import AuthAPI
import FoundationEssentials
import Glibc
import StrictJSON
import TestSupport
import Testing

/// howru with passwords, and a route for users who have shown a moment ago who they are.
private enum ReauthenticationPolicyFile {
    static let path = KeyPolicy.write(
        "reauthentication",
        changing: PolicyText.passwords.merging([
            "claims: [phone, role]": "claims: [phone, role, auth_time]",
            "  - path: /api/**":
                "  - { path: /api/hello, upstream: app, access: bearer, maxAgeSeconds: 300 }\n  - path: /api/**",
        ]) { $1 })
}

extension Live {
    /// Showing again who the user is, through all processes.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(["LATCHKEY_POLICY": ReauthenticationPolicyFile.path, "LATCHKEY_FAKES": "1"]))
    struct ReauthenticationTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func recent(_ tokens: TokenReply) async throws -> HTTPAnswer {
            try await stack.gateway.get("/api/hello", bearer: tokens.accessToken)
        }

        /// The tokens after five minutes in which the user did not show who they are.
        private func later(_ tokens: TokenReply) async throws -> TokenReply {
            _ = try await stack.sql("tokens", "UPDATE sessions SET authenticated_at = authenticated_at - 301")
            return try await refreshed(tokens)
        }

        private func refreshed(_ tokens: TokenReply) async throws -> TokenReply {
            try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: tokens.refreshToken))
                .decoded()
        }

        private func post(_ path: String, _ tokens: TokenReply, _ body: String = "") async throws -> HTTPAnswer {
            try await patiently {
                try await stack.gateway.send(
                    "POST", path,
                    headers: [
                        ("Authorization", "Bearer \(tokens.accessToken)"), ("Content-Type", "application/json"),
                    ], body: Array(body.utf8))
            }
        }

        private func reauthenticate(_ tokens: TokenReply, _ body: String) async throws -> HTTPAnswer {
            try await post("/auth/reauthenticate", tokens, body)
        }

        private func requestCode(_ tokens: TokenReply) async throws {
            let answer = try await post("/auth/reauthenticate/request", tokens)
            guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/reauthenticate/request", answer) }
        }

        private func isFailure(_ answer: HTTPAnswer) -> Bool {
            answer.status == 403 && answer.text.contains("reauthentication_failed")
        }

        @Test func `after a code and a refresh the route is open again, and other routes always were`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let first = try await stack.signIn(phone: phone).tokens
            #expect(try await recent(first).status == 200)
            let old = try await later(first)
            let refused = try await recent(old)
            #expect(refused.status == 401 && refused.text.contains("insufficient_user_authentication"))
            let challenge = refused.headers["www-authenticate"] ?? ""
            #expect(challenge.contains(#"error="insufficient_user_authentication""#), "\(challenge)")
            #expect(challenge.contains(#"max_age="300""#), "\(challenge)")
            #expect(try await post("/api/echo", old, "{}").status == 200)
            try await requestCode(old)
            let body = #"{"code":"\#(try await stack.code(for: phone))"}"#
            let answer = try await reauthenticate(old, body)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try answer.decoded(ReauthenticationReply.self) == ReauthenticationReply())
            // The token at hand is as old as before.
            #expect(try await recent(old).status == 401)
            let new = try await refreshed(old)
            #expect(try await recent(new).status == 200)
            let events = try await stack.sql(
                "tokens", "SELECT detail FROM audit WHERE event = 'session.reauthenticated'")
            #expect(events == ["code"])
            // A repeat after a lost response raises the time again.
            let later = try await later(new)
            #expect(try await reauthenticate(later, body).status == 200)
            #expect(try await recent(try await refreshed(later)).status == 200)
        }

        @Test func `codes of another person or purpose are refused, and sign-in stays open`() async throws {
            let (phone, other) = (LatchkeyStack.freshPhone(), LatchkeyStack.freshPhone())
            let (mine, theirs) = (
                try await stack.signIn(phone: phone).tokens, try await stack.signIn(phone: other).tokens
            )
            try await requestCode(theirs)
            let code = try await stack.code(for: other)
            #expect(isFailure(try await reauthenticate(mine, #"{"code":"\#(code)"}"#)))
            try await stack.requestCode(for: phone)
            let signInCode = try await stack.code(for: phone)
            for _ in 0..<4 {
                #expect(isFailure(try await reauthenticate(mine, #"{"code":"\#(signInCode)"}"#)))
            }
            let locked = try await reauthenticate(mine, #"{"code":"\#(signInCode)"}"#)
            #expect(locked.status == 429 && locked.text.contains("lockout"), "\(locked.text)")
            #expect(["29", "30"].contains(locked.headers["retry-after"]))
            // The code still signs in, and the other person's is still good for them.
            let body = OTPVerifyBody(phoneNumber: phone, code: signInCode)
            #expect(try await stack.gateway.post("/auth/otp/verify", encoding: body).status == 200)
            #expect(try await reauthenticate(theirs, #"{"code":"\#(code)"}"#).status == 200)
            // A code for this purpose opens no session.
            try await requestCode(theirs)
            let bound = OTPVerifyBody(phoneNumber: other, code: try await stack.code(for: other))
            #expect(try await stack.gateway.post("/auth/otp/verify", encoding: bound).status == 401)
        }

        @Test func `the user's own password is a proof, another's is none, and a deletion asks for it`() async throws {
            let user = try await stack.newPasswordUser()
            let tokens = try await later(
                TokenReply(
                    accessToken: user.signIn.tokens.access, refreshToken: user.signIn.tokens.refresh, expiresIn: 0))
            func delete() async throws -> HTTPAnswer {
                try await stack.gateway.send(
                    "DELETE", "/users/me", headers: [("Authorization", "Bearer \(tokens.accessToken)")])
            }
            #expect(try await delete().text.contains("reauthentication_required"))
            #expect(isFailure(try await reauthenticate(tokens, #"{"password":"another long password"}"#)))
            #expect(try await reauthenticate(tokens, #"{"code":"123456","password":"x"}"#).status == 400)
            let right = #"{"password":"\#(user.password)"}"#
            #expect(try await reauthenticate(tokens, right).status == 200)
            // token-service is asked, so the token at hand suffices here.
            #expect(try await delete().status == 200)
            #expect(try await reauthenticate(tokens, right).status == 401)
        }

        @Test func `the user's own identity token is a proof once, another person's is none`() async throws {
            let fakes = try FakeProviders(of: stack)
            let subject = "000123.\(UUID().uuidString.lowercased().prefix(13))"
            func token(_ subject: String) async throws -> String {
                try await fakes.identityToken(#"{"subject":"\#(subject)"}"#).identityToken
            }
            let signIn = try await stack.gateway.send(
                "POST", "/auth/apple", headers: [("Content-Type", "application/json")],
                body: Array(#"{"identityToken":"\#(try await token(subject))"}"#.utf8))
            let tokens = try await later(try signIn.decoded(SignInReply.self).tokens)
            func show(_ token: String, _ provider: String = "apple") async throws -> HTTPAnswer {
                try await reauthenticate(tokens, #"{"provider":"\#(provider)","identityToken":"\#(token)"}"#)
            }
            #expect(isFailure(try await show(try await token("000999.other"))))
            let own = try await token(subject)
            #expect(try await show(own, "unknown").status == 400)
            #expect(try await show(own).status == 200)
            #expect(isFailure(try await show(own)))
            #expect(try await recent(try await refreshed(tokens)).status == 200)
        }

        @Test func `while a service is away nothing changes, and a session that ended takes nothing`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let tokens = try await later(try await stack.signIn(phone: phone).tokens)
            try await requestCode(tokens)
            let body = #"{"code":"\#(try await stack.code(for: phone))"}"#
            for service in ["otp", "token"] {
                try await stack.without([service]) {
                    let answer = try await stack.gateway.send(
                        "POST", "/auth/reauthenticate",
                        headers: [
                            ("Authorization", "Bearer \(tokens.accessToken)"), ("Content-Type", "application/json"),
                        ], body: Array(body.utf8))
                    #expect(answer.status == 503, "\(service): \(answer.text)")
                }
                #expect(try await recent(tokens).status == 401)
            }
            #expect(try await reauthenticate(tokens, body).status == 200)
            #expect(try await recent(try await refreshed(tokens)).status == 200)
            #expect(try await post("/auth/logout", tokens, #"{"scope":"all"}"#).status == 200)
            #expect(try await reauthenticate(tokens, body).status == 401)
        }
    }
}
