import AuthAPI
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// howru with passwords, a route that needs a second factor, and one that needs a passkey.
private enum StepUpPolicyFile {
    static let path = KeyPolicy.write(
        "step-up",
        changing: PolicyText.passwords.merging([
            "default others\n  ends: all": "default others\n  ends: others",
            "claims: [phone, role]": "claims: [phone, role, auth_time, acr, amr]",
            "trustedProxies: []": "trustedProxies: []\npasswords: {}\nmfa: { totp: true }",
            "  - path: /api/**":
                "  - { path: /api/hello, upstream: app, access: bearer, acr: aal2, maxAgeSeconds: 300 }\n"
                + "  - { path: /api/passkey, upstream: app, access: bearer, amr: pop }\n  - path: /api/**",
        ]) { $1 })
}

extension Live {
    /// Routes that ask for more than a sign-in shows, and the step-up that brings it, through all processes.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(["LATCHKEY_POLICY": StepUpPolicyFile.path, "LATCHKEY_FAKES": "1"]))
    struct StepUpTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func get(_ tokens: TokenReply, _ path: String = "/api/hello") async throws -> HTTPAnswer {
            try await stack.gateway.get(path, bearer: tokens.accessToken)
        }

        private func refreshed(_ tokens: TokenReply) async throws -> TokenReply {
            try await patiently {
                try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: tokens.refreshToken))
            }
            .decoded()
        }

        private func post(_ path: String, _ tokens: TokenReply, _ body: String) async throws -> HTTPAnswer {
            try await patiently {
                try await stack.gateway.send(
                    "POST", path,
                    headers: [
                        ("Authorization", "Bearer \(tokens.accessToken)"), ("Content-Type", "application/json"),
                    ], body: Array(body.utf8))
            }
        }

        private func reauthenticate(_ tokens: TokenReply, _ body: String) async throws {
            let answer = try await post("/auth/reauthenticate", tokens, body)
            guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/reauthenticate", answer) }
            #expect(try answer.decoded(ReauthenticationReply.self) == ReauthenticationReply())
        }

        /// A user with a password and a phone number, and the tokens of a sign-in by a code to it.
        private func userWithBoth() async throws -> (password: String, phone: String, tokens: TokenReply) {
            let user = try await stack.newPasswordUser()
            let first = TokenReply(
                accessToken: user.signIn.tokens.access, refreshToken: user.signIn.tokens.refresh, expiresIn: 0)
            let phone = LatchkeyStack.freshPhone()
            for (path, code) in [("/users/me/phone/request", false), ("/users/me/phone", true)] {
                let proof = code ? #","code":"\#(try await stack.code(for: phone))""# : ""
                let answer = try await post(path, first, #"{"phoneNumber":"\#(phone)"\#(proof)}"#)
                guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST \(path)", answer) }
            }
            return (user.password, phone, try await stack.signIn(phone: phone).tokens)
        }

        /// The tokens of a sign-in by a code, and the recovery codes of the user's TOTP, each of which shows a second factor.
        private func userWithFactor() async throws -> (tokens: TokenReply, codes: [String]) {
            let tokens = try await stack.signIn().tokens
            let enrolled = try await post("/users/me/mfa/totp", tokens, "{}").decoded(Enrolled.self)
            let body = #"{"code":"\#(AuthenticatorApp.code(enrolled.secret))"}"#
            let answer = try await post("/users/me/mfa/totp/activate", tokens, body)
            return (tokens, try answer.decoded(Activated.self).recoveryCodes)
        }

        private struct Enrolled: Decodable { let secret: String }
        private struct Activated: Decodable { let recoveryCodes: [String] }

        private func isRefused(_ answer: HTTPAnswer, _ rest: String) -> Bool {
            answer.status == 401 && answer.text.contains("insufficient_user_authentication")
                && answer.headers["www-authenticate"] == #"Bearer error="insufficient_user_authentication""# + rest
        }

        private static let all = #", acr_values="aal2", max_age="300""#

        @Test func `a code is not enough, a second factor is, and refreshes and restarts keep that`() async throws {
            let (first, codes) = try await userWithFactor()
            #expect(isRefused(try await get(first), Self.all))
            #expect(try await get(first, "/api/echo").status != 401)
            try await reauthenticate(first, #"{"recoveryCode":"\#(codes[0])"}"#)
            // The token at hand states what it stated before.
            #expect(isRefused(try await get(first), Self.all))
            var tokens = try await refreshed(first)
            #expect(try await get(tokens).status == 200)
            // A second factor is no passkey.
            #expect(isRefused(try await get(tokens, "/api/passkey"), ""))
            tokens = try await refreshed(tokens)
            #expect(try await get(tokens).status == 200)
            try await stack.restart("token", by: SIGKILL)
            tokens = try await refreshed(tokens)
            #expect(try await get(tokens).status == 200)
            let events = try await stack.sql("tokens", "SELECT detail FROM audit WHERE event = 'session.stepped_up'")
            #expect(Set(events) == ["recovery_code"])
            // Another session of the same user has shown nothing.
            let others = try await stack.signIn(phone: LatchkeyStack.freshPhone()).tokens
            #expect(isRefused(try await get(others), Self.all))
        }

        @Test func `a code and a password after a code, and a password after another, raise nothing`() async throws {
            let (password, phone, tokens) = try await userWithBoth()
            _ = try await post("/auth/reauthenticate/request", tokens, "{}")
            try await reauthenticate(tokens, #"{"code":"\#(try await stack.code(for: phone))"}"#)
            // A thief of the number can set a password too.
            try await reauthenticate(tokens, #"{"password":"\#(password)"}"#)
            #expect(isRefused(try await get(try await refreshed(tokens)), Self.all))
            let user = try await stack.newPasswordUser()
            let own = TokenReply(
                accessToken: user.signIn.tokens.access, refreshToken: user.signIn.tokens.refresh, expiresIn: 0)
            try await reauthenticate(own, #"{"password":"\#(user.password)"}"#)
            #expect(isRefused(try await get(try await refreshed(own)), Self.all))
        }

        @Test func `an old proof is refused at the level too, and one from the future, until the next`() async throws {
            let user = try await userWithFactor()
            var codes = user.codes
            func stepUp(_ tokens: TokenReply) async throws {
                try await reauthenticate(tokens, #"{"recoveryCode":"\#(codes.removeLast())"}"#)
            }
            try await stepUp(user.tokens)
            var tokens = try await refreshed(user.tokens)
            for shift in ["- 301", "+ 100000"] {
                #expect(try await get(tokens).status == 200)
                _ = try await stack.sql("tokens", "UPDATE sessions SET authenticated_at = authenticated_at \(shift)")
                tokens = try await refreshed(tokens)
                #expect(isRefused(try await get(tokens), Self.all))
                try await stepUp(tokens)
                tokens = try await refreshed(tokens)
            }
            #expect(try await get(tokens).status == 200)
        }
    }
}
