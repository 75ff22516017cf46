import AuthAPI
import TestSupport
import Testing

/// howru with second factors, which administrators need, the API for administrators, and the deletion page.
private enum SecondFactorPolicyFile {
    static let path = KeyPolicy.write(
        "mfa",
        changing: [
            "claims: [phone, role]": "claims: [phone, role, auth_time, acr, amr]",
            "trustedProxies: []": "trustedProxies: []\nmfa: { requiredForRoles: [admin] }",
            "  api: false": "  api: true", "page: false": "page: true",
        ])
}

extension Live {
    /// A second factor through all processes: on, needed at sign-in, used once, and lost.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(["LATCHKEY_POLICY": SecondFactorPolicyFile.path, "LATCHKEY_FAKES": "1"]))
    struct SecondFactorTests {
        let stack: LatchkeyStack
        let calls: SecondFactorCalls

        init() throws {
            stack = try #require(RunningStack.current)
            calls = SecondFactorCalls(stack: stack)
        }

        @Test func `a sign-in asks for the second factor, which serves it once, and recovery codes too`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let codes = try await calls.require(try await stack.signIn(phone: phone).tokens.accessToken)
            let token = try await calls.mfaToken(phone)
            let wrong = try await calls.send("POST", "/auth/mfa/verify", nil, #"{"mfaToken":"\#(token)","code":"000"}"#)
            #expect(wrong.status == 401 && wrong.text.contains("second_factor_refused"), "\(wrong.text)")
            let signedIn = try await calls.verify(token, recoveryCode: codes[0])
            #expect(signedIn.status == 200, "\(signedIn.text)")
            // The token was used, and so was the code.
            #expect(try await calls.verify(token, recoveryCode: codes[1]).status == 401)
            #expect(try await calls.verify(token, recoveryCode: codes[0]).status == 401)
            let access = try signedIn.decoded(SignInReply.self).tokens.accessToken
            let state = try await calls.send("GET", "/users/me/mfa", access)
            #expect(state.status == 200 && state.text.contains(#""recoveryCodesLeft":8"#), "\(state.text)")
        }

        @Test func `five wrong codes make further ones wait, with Retry-After`() async throws {
            let phone = LatchkeyStack.freshPhone()
            _ = try await calls.require(try await stack.signIn(phone: phone).tokens.accessToken)
            let body = #"{"mfaToken":"\#(try await calls.mfaToken(phone))","code":"000"}"#
            for _ in 0..<5 { #expect(try await calls.send("POST", "/auth/mfa/verify", nil, body).status == 401) }
            let limited = try await calls.send("POST", "/auth/mfa/verify", nil, body)
            #expect(limited.status == 429 && limited.text.contains("too_many_attempts"), "\(limited.text)")
            #expect(Int(limited.headers["retry-after"] ?? "").map { (1...30).contains($0) } == true)
        }

        @Test func `an administrator needs a second factor for the API, and for each sign-in once it is on`()
            async throws
        {
            let phone = LatchkeyStack.freshPhone()
            let user = try await stack.signIn(phone: phone).user
            try await stack.change(user.id, role: "admin")
            let access = try await stack.signIn(phone: phone).tokens.accessToken
            for (method, path, body) in [
                ("GET", "/admin/users", ""), ("GET", "/admin/users/\(user.id)", ""),
                ("PATCH", "/admin/users/\(user.id)", #"{"name":"Ann"}"#),
                ("DELETE", "/admin/users/\(user.id)/sessions", ""),
            ] {
                let refused = try await calls.send(method, path, access, body)
                #expect(refused.status == 401, "\(method) \(path): \(refused.text)")
                let challenge = refused.headers["www-authenticate"] ?? ""
                #expect(challenge.contains("insufficient_user_authentication") && challenge.contains("aal2"))
            }
            let codes = try await calls.enrol(access)
            #expect(try await calls.send("GET", "/admin/users", access).status == 200)
            // The role asks, though the user does not.
            let token = try await calls.mfaToken(phone)
            let signedIn = try await calls.verify(token, recoveryCode: codes[0])
            #expect(signedIn.status == 200, "\(signedIn.text)")
            let second = try signedIn.decoded(SignInReply.self).tokens.accessToken
            #expect(try await calls.send("GET", "/admin/users", second).status == 200)
        }

        @Test func `a code alone deletes no account that needs two factors`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let access = try await stack.signIn(phone: phone).tokens.accessToken
            _ = try await calls.require(access)
            func send(_ form: String) async throws -> HTTPAnswer {
                try await stack.gateway.send(
                    "POST", "/account/delete", headers: [("Content-Type", "application/x-www-form-urlencoded")],
                    body: Array(form.utf8))
            }
            let recipient = "recipient=\(phone.replacing("+", with: "%2B"))"
            #expect(try await send(recipient).status == 200)
            let refused = try await send("\(recipient)&code=\(try await stack.code(for: phone))")
            #expect(refused.status == 403 && !refused.text.contains("will be deleted on"), "\(refused.text)")
            #expect(try await calls.send("GET", "/users/me", access).status == 200)
        }
    }
}
