import AuthAPI
import FoundationEssentials
import Glibc
import StrictJSON
import TestSupport
import Testing

// Cited by Tests/Compat/statements.md for H2, H61, T60, T61.

extension Live {
    /// Sign in with Apple by howru's policy; latchkey-fakes play Apple.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_FAKES": "1"]))
    struct AppleTokenTests {
        let stack: LatchkeyStack
        let fakes: FakeProviders

        init() throws {
            stack = try #require(RunningStack.current)
            fakes = try FakeProviders(of: stack)
        }

        private func subject() -> String { "000123.\(UUID().uuidString.lowercased().prefix(13))" }

        private func token(_ wish: String = "{}") async throws -> String {
            try await fakes.identityToken(wish).identityToken
        }

        private func signIn(_ token: String, _ more: String = "", key: String? = nil) async throws -> HTTPAnswer {
            try await stack.gateway.send(
                "POST", "/auth/apple",
                headers: [("Content-Type", "application/json")] + (key.map { [("Idempotency-Key", $0)] } ?? []),
                body: Array(#"{"identityToken":"\#(token)"\#(more)}"#.utf8))
        }

        /// Users by their ids, as the operator sees them.
        private func users() async throws -> String { try await stack.control("users list --limit 200").output }

        @Test func `howru's printed body signs in, nulls included, and the session is one like any other`() async throws
        {
            let subject = subject()
            let wish = #"{"subject":"\#(subject)","claims":{"email":"\"betty@example.com\"","email_verified":"true"}}"#
            let name = #","fullName":{"givenName":"Betty","familyName":"Smith"},"email":"betty@example.com""#
            let answer = try await signIn(try await token(wish), name)
            #expect(answer.status == 200, "\(answer.text)")
            let first: SignInReply = try answer.decoded()
            #expect(first.isNewUser && first.user.name == "Betty Smith" && first.user.email == nil)
            #expect(first.user.id.hasPrefix("usr_") && answer.text.contains(#""phoneNumber":null"#))
            let claims = try payload(first.tokens.accessToken)
            #expect(claims["phone"] == nil && claims["email"] == nil && claims["role"]?.stringValue == "user")
            #expect(try await stack.gateway.get("/api/hello", bearer: first.tokens.accessToken).status == 200)
            let me = try await stack.gateway.get("/users/me", bearer: first.tokens.accessToken)
            #expect(me.status == 200 && me.text.contains(#""phoneNumber":null"#))
            let nulls = try await signIn(
                try await token(#"{"subject":"\#(subject)"}"#), #","fullName":null,"email":null,"nonce":null"#)
            let second: SignInReply = try nulls.decoded()
            #expect(!second.isNewUser && second.user == first.user)
            let refreshed = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: second.tokens.refreshToken))
            #expect(refreshed.status == 200)
        }

        @Test func `an app that moved to another Apple team keeps its users and their sessions`() async throws {
            try await SubjectMoves(stack: stack).check()
        }

        private func payload(_ token: String) throws -> JSONValue {
            var text = String(token.split(separator: ".")[1]).replacing("-", with: "+").replacing("_", with: "/")
            while text.count % 4 != 0 { text += "=" }
            let data = try #require(Data(base64Encoded: text))
            return try StrictJSON.parse(Array(data), limits: .init(bytesMax: 1 << 16, depthMax: 8))
        }

        @Test func `a repeat with the Idempotency-Key has the same session, any other use of the token is refused`()
            async throws
        {
            let token = try await token(#"{"subject":"\#(subject())"}"#)
            let first: SignInReply = try await signIn(token, key: "k-1").decoded()
            let again: SignInReply = try await signIn(token, key: "k-1").decoded()
            #expect(again.tokens.refreshToken == first.tokens.refreshToken && again.isNewUser)
            for key in [nil, "k-2"] {
                let used = try await signIn(token, key: key)
                #expect(used.status == 401 && used.text.contains(#""code":"identity_token_used""#), "\(used.text)")
            }
        }

        @Test func `a hundred uses of a token at once are one session`() async throws {
            let token = try await token(#"{"subject":"\#(subject())"}"#)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await signIn(token).status } }
                return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(statuses == [200: 1, 401: 99])
        }

        @Test func `a used token stays used when user-service is killed and Redis is lost`() async throws {
            let token = try await token(#"{"subject":"\#(subject())"}"#)
            #expect(try await signIn(token).status == 200)
            try await stack.restart("user", by: SIGKILL)
            try await stack.restart("redis", by: SIGKILL)
            try await stack.untilReady()
            try await eventually("the token is refused as used") {
                let answer = try await signIn(token)
                #expect(answer.status == 401 || answer.status == 503, "\(answer.text)")
                return answer.status == 401 && answer.text.contains("identity_token_used")
            }
        }

        // MARK: - Apple's server

        private func notify(_ payload: String) async throws -> HTTPAnswer {
            try await stack.gateway.post("/webhooks/apple", #"{"payload":"\#(payload)"}"#)
        }

        @Test func `a code is exchanged after the sign-in, and the token is revoked once the account is removed`()
            async throws
        {
            let subject = subject()
            let token = try await fakes.identityToken(#"{"subject":"\#(subject)"}"#)
            let code = try #require(token.authorizationCode)
            try await fakes.script(#"[{"provider":"apple","at":"token","status":503,"body":"x"}]"#)
            let answer = try await signIn(token.identityToken, #","authorizationCode":"\#(code)""#)
            let user: SignInReply = try answer.decoded()
            try await eventually("the code is exchanged") {
                try await fakes.appleTokens(of: subject).map(\.clientID) == ["com.howru"]
            }
            let issued = try #require(try await fakes.appleTokens(of: subject).first)
            for trace in try Trace.files(in: stack.dataDirectory) where !trace.name.contains("fakes") {
                for canary in [Canary(code), Canary(issued.token)] {
                    #expect(!canary.stands(in: trace.bytes), "\(trace.name)")
                }
            }
            let deleted = try await stack.gateway.send(
                "DELETE", "/users/me", headers: [("Authorization", "Bearer \(user.tokens.accessToken)")])
            #expect(deleted.status == 200)
            #expect(try await fakes.appleTokens(of: subject).map(\.revocations) == [0])
            try await stack.sql(
                "users",
                "UPDATE users SET deletion_due_at = unixepoch() WHERE id = x'\(user.user.id.dropFirst(4))'")
            try await eventually("the token is revoked") {
                try await fakes.appleTokens(of: subject).map(\.revocations) == [1]
            }
            #expect(
                try await stack.sql("users", "SELECT count(*) FROM apple_tokens WHERE subject = '\(subject)'") == ["0"])
        }

        @Test func `Apple's notification ends the session that began with it, and forged ones are refused`()
            async throws
        {
            let subject = subject()
            let first: SignInReply = try await signIn(try await token(#"{"subject":"\#(subject)"}"#)).decoded()
            let wish = #""type":"consent-revoked","subject":"\#(subject)""#
            for token in [#"{"fault":"foreignKey"}"#, #"{"audience":"com.other"}"#, #"{"without":["events"]}"#] {
                let forged = try await notify(try await fakes.appleNotification(#"{\#(wish),"token":\#(token)}"#))
                #expect(forged.status == 400 && forged.text.contains(#""code":"invalid_request""#), "\(forged.text)")
            }
            for body in ["{}", #"{"payload":7}"#, "", "[]"] {
                #expect(try await stack.gateway.post("/webhooks/apple", body).status == 400, "\(body)")
            }
            #expect(try await stack.gateway.get("/api/hello", bearer: first.tokens.accessToken).status == 200)
            let other = try await fakes.appleNotification(#"{"type":"consent-revoked","subject":"\#(self.subject())"}"#)
            #expect(try await notify(other).status == 200)
            let payload = try await fakes.appleNotification("{\(wish)}")
            for _ in 0..<2 { #expect(try await notify(payload).status == 200) }
            try await eventually("the session is revoked") {
                try await stack.gateway.get("/api/hello", bearer: first.tokens.accessToken).status == 401
            }
            let fresh = #"{"subject":"\#(subject)","ageSeconds":-2}"#
            let again: SignInReply = try await signIn(try await token(fresh)).decoded()
            #expect(again.user.id == first.user.id && !again.isNewUser)
            #expect(try await notify(payload).status == 200)
            #expect(try await stack.gateway.get("/api/hello", bearer: again.tokens.accessToken).status == 200)
        }

        @Test(arguments: [
            #""fault":"noKeyID""#, #""claims":{"aud":"[\"com.howru\",\"com.howru\"]","azp":"\"com.howru\""}"#,
            #""claims":{"azp":"\"com.other\""}"#, #""claims":{"exp":"4e9","nbf":"1.5e9"}"#,
            #""claims":{"exp":"4000000000.5","nbf":"null","nonce":"null"}"#,
        ])
        func `tokens that the standards allow sign in`(_ wish: String) async throws {
            let answer = try await signIn(try await token(#"{"subject":"\#(subject())",\#(wish)}"#))
            #expect(answer.status == 200, "\(answer.text)")
        }

        /// Wishes for tokens that are wrong in one thing each.
        private static let wrong = [
            #"{"fault":"algorithmNone"}"#, #"{"fault":"publicKeyAsSecret"}"#, #"{"algorithm":"ES256"}"#,
            #"{"fault":"foreignKey"}"#,
            #"{"fault":"spoiledSignature"}"#, #"{"fault":"noSignature"}"#, #"{"fault":"changedPayload"}"#,
            #"{"fault":"critical"}"#, #"{"fault":"twoSignatures"}"#, #"{"fault":"duplicateClaim"}"#,
            #"{"fault":"brokenPayload"}"#, #"{"issuer":"oidc"}"#, #"{"type":"at+jwt"}"#,
            #"{"claims":{"events":"{}"}}"#, #"{"claims":{"iss":"\"https://evil.example\""}}"#,
            #"{"audience":"com.other"}"#, #"{"claims":{"aud":"[\"com.howru\",\"com.other\"]"}}"#,
            #"{"claims":{"aud":"[\"com.howru\",\"com.howru\"]"}}"#, #"{"claims":{"exp":"1.5e9"}}"#,
            #"{"claims":{"aud":"[\"com.howru\",\"com.howru\"]","azp":"\"com.other\""}}"#,
            #"{"claims":{"aud":"[]"}}"#, #"{"without":["aud"]}"#, #"{"ageSeconds":900,"lifetimeSeconds":600}"#,
            #"{"ageSeconds":86500,"lifetimeSeconds":200000}"#, #"{"ageSeconds":-3600}"#, #"{"nonce":"n"}"#,
            #"{"claims":{"sub":"7"}}"#, #"{"without":["sub"]}"#, #"{"without":["iat"]}"#, #"{"without":["exp"]}"#,
        ]

        @Test func `wrong tokens have one answer, store nothing, and the audit says which rule`() async throws {
            let before = try await users()
            var answers: Set<String> = []
            for wish in Self.wrong {
                let answer = try await signIn(try await token(wish))
                #expect(answer.status == 401, "\(wish): \(answer.text)")
                answers.insert(answer.text)
            }
            for (claim, sent) in [("\"claims\":{\"nonce\":\"\\\"n\\\"\"}", "n"), ("\"nonce\":\"m\"", "n"), ("", "n")] {
                let answer = try await signIn(
                    try await token("{\(claim)}"), #","nonce":"\#(sent)""#)
                #expect(answer.status == 401, "\(claim)")
                answers.insert(answer.text)
            }
            #expect(answers.count == 1 && answers.first?.contains("invalid_identity_token") == true, "\(answers)")
            #expect(try await users() == before)
            let audit = try await stack.sql(
                "users", "SELECT DISTINCT detail FROM audit WHERE event = 'identity.token_refused'")
            for rule in [
                "wrong_algorithm", "bad_signature", "wrong_audience", "wrong_issuer", "wrong_nonce", "expired",
            ] {
                #expect(audit.contains("apple \(rule)"), "\(audit)")
            }
            try await stack.expectSoundAudit(of: "users")
            let refused = #"auth_identity_tokens_total{provider="apple",result="wrong_audience"}"#
            #expect(try await stack.metric(refused, of: "user") > 0)
        }

        @Test func `bad bodies are refused by their member, and large ones by their size`() async throws {
            for (body, status, word) in [
                ("{}", 400, "identityToken"), (#"{"identityToken":7}"#, 400, "identityToken"), ("[]", 400, "object"),
                (#"{"identityToken":"a.b.c","nonce":7}"#, 400, "nonce"),
                (#"{"identityToken":"\#(String(repeating: "a", count: 100_000))"}"#, 413, "body_too_large"),
                (#"{"identityToken":"\#(String(repeating: "a", count: 9_000))"}"#, 401, "invalid_identity_token"),
            ] {
                let answer = try await stack.gateway.post("/auth/apple", body)
                #expect(answer.status == status && answer.text.contains(word), "\(body.prefix(40)): \(answer.text)")
            }
            #expect(try await stack.gateway.post("/auth/oidc/google", #"{"identityToken":"a"}"#).status == 404)
            #expect(try await stack.gateway.get("/auth/apple").status == 405)
        }

        @Test func `a thousand unknown keys are one fetch`() async throws {
            #expect(try await signIn(try await token(#"{"subject":"\#(subject())"}"#)).status == 200)
            let before = try await fakes.keyFetches(of: "apple")
            let unknown = try await token(#"{"fault":"unknownKey"}"#)
            // The edge counts an address's requests; here it is exempt.
            let statuses = try await stack.gateway.withConnections(32) { client in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<1_000 {
                        group.addTask {
                            try await client.post("/auth/apple", #"{"identityToken":"\#(unknown)"}"#).status
                        }
                    }
                    return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
                }
            }
            #expect(statuses.isSubset(of: [401, 503]))
            #expect(try await fakes.keyFetches(of: "apple") - before <= 1)
        }

        @Test func `without keys a sign-in is 503 and to be tried again, and keys of before serve on`() async throws {
            let fresh = { try await self.token(#"{"subject":"\#(self.subject())"}"#) }
            #expect(try await signIn(try await fresh()).status == 200)
            try await fakes.script(#"[{"provider":"apple","at":"keys","status":500,"body":"x","always":true}]"#)
            #expect(try await signIn(try await fresh()).status == 200)
            try await stack.restart("user", by: SIGKILL)
            try await eventually("sign-ins are answered") {
                let answer = try await signIn(try await fresh())
                return answer.status == 503 && answer.headers["retry-after"] != nil
            }
            try await fakes.clearScript()
            try await eventually("the keys are fetched") { try await signIn(try await fresh()).status == 200 }
        }
    }
}
