import AuthAPI
import StrictJSON
import TestSupport
import Testing

/// howru with second factors, which administrators need.
private enum SecondFactorPolicyFile {
    static let path = KeyPolicy.write(
        "mfa",
        changing: [
            "claims: [phone, role]": "claims: [phone, role, auth_time, acr, amr]",
            "trustedProxies: []": "trustedProxies: []\nmfa: { requiredForRoles: [admin] }",
        ])
}

extension Live {
    /// A second factor through all processes: on, needed at sign-in, used once, and lost.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(["LATCHKEY_POLICY": SecondFactorPolicyFile.path, "LATCHKEY_FAKES": "1"]))
    struct SecondFactorTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func send(
            _ method: String, _ path: String, _ tokens: TokenReply? = nil, _ body: String = ""
        ) async throws -> HTTPAnswer {
            try await patiently {
                try await stack.gateway.send(
                    method, path,
                    headers: (tokens.map { [("Authorization", "Bearer \($0.accessToken)")] } ?? [])
                        + [("Content-Type", "application/json")], body: Array(body.utf8))
            }
        }

        private func text(_ member: String, of answer: HTTPAnswer) throws -> String {
            try #require(
                try StrictJSON.parse(Array(answer.text.utf8), limits: .own)[member]?.stringValue, "\(answer.text)")
        }

        private func recoveryCodes(_ answer: HTTPAnswer) throws -> [String] {
            struct Body: Decodable { let recoveryCodes: [String] }
            return try answer.decoded(Body.self).recoveryCodes
        }

        /// Turns TOTP on, and lets the session step up.
        private func enrol(_ tokens: TokenReply) async throws -> (secret: String, codes: [String]) {
            let secret = try text("secret", of: try await send("POST", "/users/me/mfa/totp", tokens))
            let body = #"{"code":"\#(AuthenticatorApp.code(secret))"}"#
            let activated = try await send("POST", "/users/me/mfa/totp/activate", tokens, body)
            #expect(activated.status == 200, "\(activated.text)")
            let stepUp = try await send(
                "POST", "/auth/reauthenticate", tokens, #"{"totp":"\#(AuthenticatorApp.code(secret, step: 1))"}"#)
            #expect(stepUp.status == 200, "\(stepUp.text)")
            return (secret, try recoveryCodes(activated))
        }

        private func signIn(_ phone: String) async throws -> HTTPAnswer {
            try await stack.requestCode(for: phone)
            let body = OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: try await stack.code(for: phone))
            return try await stack.gateway.post("/auth/otp/verify", encoding: body)
        }

        @Test func `a sign-in asks for the second factor, which serves it once, and recovery codes too`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let tokens = try await stack.signIn(phone: phone).tokens
            let (_, codes) = try await enrol(tokens)
            let required = try await send("PATCH", "/users/me/mfa", tokens, #"{"required":true}"#)
            #expect(required.status == 200, "\(required.text)")
            let refused = try await signIn(phone)
            #expect(refused.status == 403, "\(refused.text)")
            #expect(try text("code", of: refused) == "second_factor_required")
            let token = try text("mfaToken", of: refused)
            let wrong = try await send("POST", "/auth/mfa/verify", nil, #"{"mfaToken":"\#(token)","code":"000"}"#)
            #expect(wrong.status == 401 && wrong.text.contains("second_factor_refused"), "\(wrong.text)")
            func verify(_ code: String) async throws -> HTTPAnswer {
                try await send("POST", "/auth/mfa/verify", nil, #"{"mfaToken":"\#(token)","recoveryCode":"\#(code)"}"#)
            }
            let signedIn = try await verify(codes[0])
            #expect(signedIn.status == 200, "\(signedIn.text)")
            // The token was used, and so was the code.
            #expect(try await verify(codes[1]).status == 401)
            #expect(try await verify(codes[0]).status == 401)
            let state = try await send("GET", "/users/me/mfa", try signedIn.decoded(SignInReply.self).tokens)
            #expect(state.status == 200 && state.text.contains(#""recoveryCodesLeft":8"#), "\(state.text)")
        }

        @Test func `five wrong codes make further ones wait, with Retry-After`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let tokens = try await stack.signIn(phone: phone).tokens
            _ = try await enrol(tokens)
            _ = try await send("PATCH", "/users/me/mfa", tokens, #"{"required":true}"#)
            let token = try text("mfaToken", of: try await signIn(phone))
            let body = #"{"mfaToken":"\#(token)","code":"000"}"#
            for _ in 0..<5 { #expect(try await send("POST", "/auth/mfa/verify", nil, body).status == 401) }
            let limited = try await send("POST", "/auth/mfa/verify", nil, body)
            #expect(limited.status == 429 && limited.text.contains("too_many_attempts"), "\(limited.text)")
            #expect(Int(limited.headers["retry-after"] ?? "").map { (1...30).contains($0) } == true)
        }
    }
}
