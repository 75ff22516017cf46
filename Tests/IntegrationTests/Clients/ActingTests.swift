import AccessTokens
import AuthAPI
import FoundationEssentials
import InternalAPI
import StrictJSON
import TestSupport
import Testing

/// howru with a role that acts as users, who may be read at one path and changed at another.
private enum ActingPolicyFile {
    static let path = KeyPolicy.write(
        "acting",
        changing: [
            "  api: false": "  api: true", "  # actAs: { role: support }": "  actAs: { role: support }",
            "  - path: /api/**\n":
                """
              - { path: /api/hello, upstream: app, access: bearer, actAs: read, identityAudience: app-api }
              - { path: /api/echo, upstream: app, access: bearer, actAs: write }
              - path: /api/**

            """,
        ])
}

/// The identity that the sample API was told.
private struct Greeting: Decodable {
    let userId: String?
    let sessionId: String?
    let actingAdmin: String?
    let identity: String?
}

extension Live {
    /// A person of the operator acts as a user: what they may do, what the user sees, and how it ends.
    @Suite(.serialized, .timeLimit(.minutes(10)), .stack(["LATCHKEY_POLICY": ActingPolicyFile.path]))
    struct ActingTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func support() async throws -> SignInReply {
            let phone = LatchkeyStack.freshPhone()
            try await stack.change(try await stack.signIn(phone: phone).user.id, role: "support")
            return try await stack.signIn(phone: phone)
        }

        private func send(
            _ method: String, _ path: String, _ token: String, headers: [(String, String)] = []
        ) async throws -> HTTPAnswer {
            try await patiently {
                try await stack.gateway.send(
                    method, path, headers: headers + [("Authorization", "Bearer \(token)")], body: [])
            }
        }

        private func act(as id: String, _ support: SignInReply, reason: String = "ticket 7") async throws -> String {
            let answer = try await send(
                "POST", "/admin/users/\(id)/act", support.tokens.accessToken, headers: [("Latchkey-Reason", reason)])
            try #require(answer.status == 200, "\(answer.text)")
            #expect(answer.headers["cache-control"] == "no-store")
            let token = try answer.decoded(ActingToken.self)
            #expect(token.expiresIn == 900 && !answer.text.contains("refresh"))
            return token.accessToken
        }

        private func hello(_ token: String) async throws -> Int { try await send("GET", "/api/hello", token).status }

        /// Expects that the token is refused as soon as other revoked tokens are.
        private func expectEnded(_ token: String, _ what: String) async throws {
            try await Task.sleep(for: .milliseconds(100))
            let status = try await hello(token)
            #expect([401, 403].contains(status), "\(what): \(status)")
        }

        // MARK: - What it allows

        @Test func `it reads and changes where it may, and the app's API learns of both persons`() async throws {
            let (support, anna) = (try await support(), try await stack.signIn())
            let token = try await act(as: anna.user.id, support)
            let answer = try await send(
                "GET", "/api/hello", token,
                headers: [("X-Acting-Admin", "usr_forged"), ("x_acting_admin", "usr_forged")])
            let greeting = try answer.decoded(Greeting.self)
            #expect(greeting.userId == anna.user.id && greeting.actingAdmin == support.user.id)
            #expect(try TokenParts(token).claims["sid"]?.stringValue == greeting.sessionId)
            let proof = try CompactJWS(Array(try #require(greeting.identity).utf8)).unverifiedPayload()
            let claims = try StrictJSON.parse(proof, limits: .own)
            #expect(claims["act"]?["sub"]?.stringValue == support.user.id)
            for method in ["POST", "PUT", "PATCH", "DELETE"] {
                let refused = try await send(method, "/api/hello", token)
                #expect(refused.status == 403, "\(method): \(refused.status)")
            }
            let overridden = try await send(
                "POST", "/api/hello", token, headers: [("X-HTTP-Method-Override", "GET"), ("X-Method-Override", "GET")])
            #expect(overridden.status == 403)
            #expect(try await send("POST", "/api/echo", token).status == 200)
            #expect(try await send("GET", "/api/else", token).status == 401)
            // A user's own request names no other person, whatever it states.
            let own = try await send(
                "GET", "/api/hello", anna.tokens.accessToken, headers: [("X-Acting-Admin", support.user.id)])
            #expect(try own.decoded(Greeting.self).actingAdmin == nil)
        }

        @Test func `the token is none of the user's, at our paths and for whoever checks the audience`() async throws {
            let (support, anna) = (try await support(), try await stack.signIn())
            let token = try await act(as: anna.user.id, support)
            // The gateway remembers it from here on.
            #expect(try await hello(token) == 200)
            for (method, path) in [
                ("GET", "/users/me"), ("PATCH", "/users/me"), ("DELETE", "/users/me"), ("GET", "/users/me/export"),
                ("GET", "/users/me/identities"), ("POST", "/users/me/password"), ("GET", "/sessions"),
                ("DELETE", "/sessions/\(try TokenParts(token).claims["sid"]?.stringValue ?? "")"),
                ("GET", "/admin/users"), ("POST", "/admin/users/\(anna.user.id)/act"),
                ("POST", "/auth/reauthenticate"),
            ] {
                let answer = try await send(method, path, token, headers: [("Latchkey-Reason", "ticket 7")])
                #expect([401, 404].contains(answer.status), "\(method) \(path): \(answer.status) \(answer.text)")
            }
            let refresh = try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: token))
            #expect(refresh.status == 401)
            let keys = try await stack.gateway.get("/.well-known/jwks.json").decoded(JSONWebKeySet.self)
            let claims = try TokenParts(token).claims
            let issuer = try #require(claims["iss"]?.stringValue)
            let audience = try #require(claims["aud"]?.stringValue)
            #expect(audience.hasSuffix("/acting"))
            let backEnd = AccessTokenVerifier(
                issuer: issuer, audience: String(audience.dropLast("/acting".count)),
                keys: try VerificationKeySet(keys))
            let now = Int64(Date().timeIntervalSince1970)
            #expect(throws: TokenRejection.wrongAudience) { try backEnd.verify(Array(token.utf8), now: now) }
            #expect(try await hello(anna.tokens.accessToken) == 200)
        }

        @Test func `only the role acts, and neither as an administrator nor as one of its own`() async throws {
            let (support, other, anna) = (try await support(), try await support(), try await stack.signIn())
            let phone = LatchkeyStack.freshPhone()
            try await stack.change(try await stack.signIn(phone: phone).user.id, role: "admin")
            let admin = try await stack.signIn(phone: phone)
            let client = try await ClientUnderTest(stack, role: "support").token()
            for (caller, id, status) in [
                (admin.tokens.accessToken, anna.user.id, 403), (anna.tokens.accessToken, support.user.id, 403),
                (client, anna.user.id, 403), (support.tokens.accessToken, admin.user.id, 403),
                (support.tokens.accessToken, other.user.id, 403), (support.tokens.accessToken, support.user.id, 403),
                (support.tokens.accessToken, "usr_0", 404),
            ] {
                let answer = try await send(
                    "POST", "/admin/users/\(id)/act", caller, headers: [("Latchkey-Reason", "ticket 7")])
                #expect(answer.status == status, "\(id): \(answer.status) \(answer.text)")
            }
            let path = "/admin/users/\(anna.user.id)/act"
            #expect(try await send("POST", path, support.tokens.accessToken).status == 400)
            #expect(try await send("GET", "/admin/users/\(anna.user.id)", support.tokens.accessToken).status == 403)
        }

        // MARK: - The end

        @Test func `the user sees the session and ends it, and their own stays`() async throws {
            let (support, anna) = (try await support(), try await stack.signIn())
            let token = try await act(as: anna.user.id, support)
            let list: SessionList = try await send("GET", "/sessions", anna.tokens.accessToken).decoded()
            #expect(list.sessions.count == 2)
            let session = try #require(list.sessions.first { $0.acting == true })
            #expect(!(try await send("GET", "/sessions", anna.tokens.accessToken)).text.contains(support.user.id))
            let end = try await send("DELETE", "/sessions/\(session.id)", anna.tokens.accessToken)
            #expect(end.status == 200, "\(end.text)")
            try await expectEnded(token, "ended by the user")
            #expect(try await hello(anna.tokens.accessToken) == 200)
        }

        @Test func `it ends with the role, and with either of the two accounts`() async throws {
            for what in [
                "role", "actor inactive", "user inactive", "everywhere", "signed out", "again", "actor signed out",
            ] {
                let (support, anna) = (try await support(), try await stack.signIn())
                let token = try await act(as: anna.user.id, support)
                #expect(try await hello(token) == 200)
                switch what {
                case "role": try await stack.change(support.user.id, role: "user")
                case "actor inactive": try await stack.change(support.user.id, isActive: false)
                case "user inactive": try await stack.change(anna.user.id, isActive: false)
                case "everywhere":
                    let end = try await stack.gateway.post(
                        "/auth/logout", #"{"scope":"all"}"#, bearer: anna.tokens.accessToken)
                    #expect(end.status == 200, "\(end.text)")
                case "again": #expect(try await hello(act(as: anna.user.id, support)) == 200)
                case "actor signed out":
                    let own = support.tokens.accessToken
                    #expect(try await stack.gateway.post("/auth/logout", "{}", bearer: own).status == 200)
                default: #expect(try await stack.gateway.post("/auth/logout", "{}", bearer: token).status == 200)
                }
                try await expectEnded(token, what)
                if ["role", "actor inactive", "signed out"].contains(what) {
                    #expect(try await hello(anna.tokens.accessToken) == 200, "\(what)")
                }
            }
        }

        // MARK: - What is left of it

        @Test func `both persons' audit has it, and their stories tell it`() async throws {
            let (support, anna) = (try await support(), try await stack.signIn())
            let reason = "ticket \(Int.random(in: 1...1_000_000_000))"
            _ = try await act(as: anna.user.id, support, reason: reason)
            let events = try await stack.sql(
                "users", "SELECT event FROM audit WHERE detail LIKE '%reason: \(reason)' ORDER BY event")
            #expect(events == ["user.acted_as", "user.acts_as"])
            let story = try await stack.control("users story \(anna.user.id)").output
            #expect(story.contains("Somebody else asked to act as the user by the administrator"), "\(story)")
            #expect(story.contains("A session began in which somebody else acts as the user"), "\(story)")
            #expect(story.contains(reason))
            let theirs = try await stack.control("users story \(support.user.id)").output
            #expect(theirs.contains("The user asked to act as another") && theirs.contains(reason), "\(theirs)")
            try await stack.expectSoundAudit(of: "users")
        }
    }
}
