import AuthAPI
import StrictJSON
import TestSupport
import Testing

extension Live {
    /// The core of the dialect `supabase` through all processes, with the requests that its clients send.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct SupabaseDialectTests {
        private static let policy = PolicyText.unlimitedRefreshes.merging([
            "\n# Required. APIs that are spoken": """
              supabase:
                algorithm: ES256
                accessLifetimeSeconds: 3600
                refresh: { repeatWithoutKeySeconds: untilUsed, limit: none }

            # APIs that are spoken
            """,
            "  - name: native\n    profile: mobile": """
              - name: native
                profile: mobile
              - { name: supabase, profile: supabase }
            """,
            "# publicURL: https://auth.example.com": "publicURL: https://auth.example.com",
            "jwksMaxAgeSeconds: 300": "jwksMaxAgeSeconds: 600",
        ]) { $1 }

        private func withStack(_ body: (LatchkeyStack) async throws -> Void) async throws {
            try await LatchkeyStack.run(name: "SupabaseDialectTests", policy: Self.policy, body)
        }

        /// Sends a request as the Python client does, with an anon key that is no token of ours.
        private func send(
            _ stack: LatchkeyStack, _ method: String, _ path: String, _ body: String? = nil, bearer: String? = nil
        ) async throws -> HTTPAnswer {
            try await patiently {
                try await stack.gateway.send(
                    method, "/auth/v1" + path,
                    headers: [
                        ("Authorization", "Bearer \(bearer ?? "sb_publishable_x")"), ("apikey", "sb_publishable_x"),
                        ("Content-Type", "application/json;charset=UTF-8"),
                        ("X-Supabase-Api-Version", "2024-01-01"),
                    ], body: body.map { Array($0.utf8) })
            }
        }

        private func requestCode(_ stack: LatchkeyStack, _ phone: String) async throws -> HTTPAnswer {
            try await send(
                stack, "POST", "/otp",
                #"{"phone":"\#(phone)","data":null,"create_user":true,"channel":"sms","#
                    + #""gotrue_meta_security":{}}"#)
        }

        private func verify(_ stack: LatchkeyStack, _ phone: String, _ code: String) async throws -> HTTPAnswer {
            try await send(stack, "POST", "/verify", #"{"phone":"\#(phone)","token":"\#(code)","type":"sms"}"#)
        }

        private func signIn(_ stack: LatchkeyStack) async throws -> JSONValue {
            let phone = LatchkeyStack.freshPhone()
            try #require(try await requestCode(stack, phone).status == 200)
            let answer = try await verify(stack, phone, try await stack.code(for: phone))
            try #require(answer.status == 200, "\(answer.text)")
            return try answer.json
        }

        private func refresh(_ stack: LatchkeyStack, _ token: String) async throws -> HTTPAnswer {
            try await send(stack, "POST", "/token?grant_type=refresh_token", #"{"refresh_token":"\#(token)"}"#)
        }

        private func expect(_ answer: HTTPAnswer, _ status: Int, _ code: String) throws {
            #expect(answer.status == status && answer.headers["x-sb-error-code"] == code, "\(answer.text)")
            #expect(answer.headers["x-supabase-api-version"] == "2024-01-01")
            #expect(try answer.json["error_code"] == .string(code) && answer.json["msg"]?.stringValue != nil)
        }

        @Test func `a code opens a session, and the same request repeats it`() async throws {
            try await withStack { stack in
                let phone = LatchkeyStack.freshPhone()
                let asked = try await requestCode(stack, phone)
                #expect(asked.status == 200 && asked.text == "{}")
                let code = try await stack.code(for: phone)
                try expect(try await verify(stack, phone, code == "000000" ? "111111" : "000000"), 403, "otp_expired")
                let first = try await verify(stack, phone, code)
                let again = try await verify(stack, phone, code)
                #expect(first.status == 200 && again.status == 200, "\(first.text) \(again.text)")
                let (session, other) = (try first.json, try again.json)
                #expect(session["refresh_token"]?.stringValue != nil)
                #expect(session["refresh_token"] == other["refresh_token"])
                let token = try #require(session["access_token"]?.stringValue)
                let claims = try TokenParts(token).claims
                #expect(claims["sub"] == session["user"]?["id"] && claims["role"] == .string("authenticated"))
                #expect(
                    claims["exp"] == session["expires_at"]
                        && claims["iss"] == .string("https://auth.example.com/auth/v1"))
                // The number comes back without its plus sign, with which clients verify too.
                #expect(session["user"]?["phone"] == .string(String(phone.dropFirst())))
                let user = try await send(stack, "GET", "/user", bearer: token)
                #expect(user.status == 200, "\(user.text)")
                #expect(try user.json["id"] == claims["sub"])
                #expect(try await stack.gateway.get("/users/me", bearer: token).status == 200)
            }
        }

        @Test func `a refresh has its user, and its parent gets the same successor`() async throws {
            try await withStack { stack in
                let session = try await signIn(stack)
                let parent = try #require(session["refresh_token"]?.stringValue)
                let first = try await refresh(stack, parent)
                let again = try await refresh(stack, parent)
                #expect(first.status == 200 && again.status == 200, "\(first.text) \(again.text)")
                let successor = try #require(try first.json["refresh_token"]?.stringValue)
                #expect(try again.json["refresh_token"] == .string(successor))
                #expect(try first.json["user"]?["id"] == session["user"]?["id"] && first.json["expires_at"] != nil)
                let newest = try #require(try await refresh(stack, successor).json["refresh_token"]?.stringValue)
                // A slow tab's token is refused and ends nothing.
                try expect(try await refresh(stack, parent), 400, "refresh_token_already_used")
                #expect(try await refresh(stack, newest).status == 200)
                try expect(try await refresh(stack, "nothing"), 400, "refresh_token_not_found")
                try expect(
                    try await send(stack, "POST", "/token?grant_type=refresh_token", "{}"), 400, "validation_failed")
            }
        }

        @Test(arguments: ["local", "global", nil])
        func `a sign-out is 204 as often as it is sent, and its session is gone`(scope: String?) async throws {
            try await withStack { stack in
                let session = try await signIn(stack)
                let token = try #require(session["access_token"]?.stringValue)
                let path = "/logout" + (scope.map { "?scope=\($0)" } ?? "")
                for _ in 0..<2 {
                    let answer = try await send(stack, "POST", path, "{}", bearer: token)
                    #expect(answer.status == 204, "\(answer.text)")
                }
                try await eventually("the access token is refused") {
                    try await send(stack, "GET", "/user", bearer: token).status == 403
                }
                try expect(try await send(stack, "GET", "/user", bearer: token), 403, "session_not_found")
                let refreshed = try await refresh(stack, try #require(session["refresh_token"]?.stringValue))
                try expect(refreshed, 400, "session_not_found")
                try expect(try await send(stack, "POST", "/logout"), 403, "bad_jwt")
                try expect(
                    try await send(stack, "POST", "/logout?scope=all", bearer: token), 400, "validation_failed")
            }
        }

        @Test func `a stranger gets no message without create_user, and the same response`() async throws {
            try await withStack { stack in
                let phone = LatchkeyStack.freshPhone()
                let answer = try await send(
                    stack, "POST", "/otp", #"{"phone":"\#(phone)","create_user":false,"channel":"sms"}"#)
                #expect(answer.status == 200 && answer.text == "{}")
                // Another number's message is sent after this one would have been.
                let user = try await signIn(stack)
                #expect(try await stack.messages(to: phone).isEmpty)
                let known = "+" + (try #require(user["user"]?["phone"]?.stringValue))
                let sent = try await stack.messages(to: known).count
                _ = try await send(
                    stack, "POST", "/otp", #"{"phone":"\#(known)","create_user":false,"channel":"sms"}"#)
                try await eventually("a user gets a message") { try await stack.messages(to: known).count > sent }
            }
        }

        @Test func `what is refused has GoTrue's status, code and headers, wherever it is refused`() async throws {
            try await withStack { stack in
                let large = String(repeating: "x", count: 20_000)
                for (method, path, body, status, code) in [
                    ("POST", "/otp", "{", 400, "bad_json"), ("POST", "/otp", "{}", 400, "validation_failed"),
                    ("POST", "/otp", #"{"phone":"\ud800"}"#, 400, "bad_json"),
                    ("POST", "/otp", #"{"phone":"+1555\u00000001"}"#, 400, "validation_failed"),
                    ("POST", "/otp", #"{"phone":7}"#, 400, "validation_failed"),
                    ("POST", "/otp", #"{"phone":"\#(large)"}"#, 413, "request_entity_too_large"),
                    ("POST", "/verify", #"{"type":"sms","token":"1"}"#, 400, "validation_failed"),
                    ("POST", "/token?grant_type=web3", "{}", 400, "invalid_credentials"),
                    ("POST", "/token", "{}", 400, "invalid_credentials"),
                    (
                        "POST", "/token?grant_type=password", #"{"phone":"1","password":"x"}"#, 422,
                        "phone_provider_disabled"
                    ),
                    (
                        "POST", "/token?grant_type=id_token", #"{"provider":"x","id_token":"y"}"#, 400,
                        "provider_disabled"
                    ),
                    ("POST", "/factors", "{}", 422, "mfa_totp_enroll_not_enabled"),
                    ("POST", "/sso", "{}", 404, "saml_provider_disabled"),
                    ("GET", "/user/identities/authorize?provider=x", nil, 404, "manual_linking_disabled"),
                    ("GET", "/user", nil, 403, "bad_jwt"), ("GET", "/nothing", nil, 404, "feature_disabled"),
                    ("DELETE", "/otp", nil, 405, "validation_failed"),
                ] as [(String, String, String?, Int, String)] {
                    try expect(try await send(stack, method, path, body), status, code)
                }
            }
        }

        @Test func `the keys fit the issuer, and settings say what is on`() async throws {
            try await withStack { stack in
                let found = try await stack.gateway.get("/auth/v1/.well-known/openid-configuration").json
                #expect(found["issuer"] == .string("https://auth.example.com/auth/v1"))
                #expect(found["jwks_uri"]?.stringValue?.hasSuffix("/auth/v1/.well-known/jwks.json") == true)
                let keys = try await stack.gateway.get("/auth/v1/.well-known/jwks.json").json["keys"]?.arrayValue
                #expect(keys?.isEmpty == false && keys?.contains { $0["kty"] == .string("OKP") } == false)
                let settings = try await stack.gateway.get("/auth/v1/settings").json
                #expect(settings["external"]?["phone"] == .bool(true))
                #expect(try await stack.gateway.get("/auth/v1/health").json["name"] == .string("GoTrue"))
            }
        }
    }
}
