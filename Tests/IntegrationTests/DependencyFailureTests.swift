import AuthAPI
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

extension Live {
    /// A dependency that fails is 503 and never 401; the rest works, and all recovers by itself (security guide section 4).
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack()) struct DependencyFailureTests {
        let stack: LatchkeyStack

        init() throws { stack = try #require(RunningStack.current) }

        private func hello(_ session: SignInReply) async throws -> HTTPAnswer {
            try await stack.gateway.get("/api/hello", bearer: session.tokens.accessToken)
        }

        private func refresh(_ session: SignInReply) async throws -> HTTPAnswer {
            try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: session.tokens.refreshToken))
        }

        private func requestCode() async throws -> HTTPAnswer {
            try await stack.gateway.post(
                "/auth/otp/request",
                encoding: OTPRequestBody(phoneNumber: LatchkeyStack.freshPhone(), countryCode: "US"))
        }

        private func verification(of phone: String) async throws -> OTPVerifyBody {
            try await stack.requestCode(for: phone)
            return OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: try await stack.code(for: phone))
        }

        private func expectUnavailable(_ answer: HTTPAnswer, _ what: String) throws {
            #expect(answer.status == 503, "\(what) → \(answer.status) \(answer.text)")
            #expect((Int(answer.headers["retry-after"] ?? "") ?? 0) > 0, "\(what) names no time to wait")
            #expect(try answer.json["error"]?.stringValue?.isEmpty == false, "\(what)")
        }

        /// Sign-in works again, and an old session with it.
        private func expectRecovery(of session: SignInReply) async throws {
            try await eventually("sign-in works again") { try await requestCode().status == 200 }
            try await eventually("the old session works again") { try await hello(session).status == 200 }
            let fresh = try await stack.signIn()
            #expect(try await hello(fresh).status == 200)
        }

        @Test func `without Redis nobody is let in and nobody is signed out`() async throws {
            let session = try await stack.signIn()
            let body = try await verification(of: LatchkeyStack.freshPhone())
            try await stack.without(["redis"]) {
                try await eventually("revocation cannot be asked") {
                    try await hello(session).status == 503
                }
                try expectUnavailable(try await hello(session), "GET /api/hello")
                try expectUnavailable(try await requestCode(), "POST /auth/otp/request")
                try expectUnavailable(
                    try await stack.gateway.post("/auth/otp/verify", encoding: body), "POST /auth/otp/verify")
                try expectUnavailable(
                    try await stack.gateway.post(
                        "/auth/logout", encoding: LogoutBody(refreshToken: session.tokens.refreshToken)),
                    "POST /auth/logout")
                #expect(try await stack.gateway.get("/.well-known/jwks.json").status == 200)
            }
            // A logout that could not be confirmed may have ended the session all the same: look at a new one.
            try await eventually("sign-in works again") { try await requestCode().status == 200 }
            let fresh = try await stack.signIn()
            try await eventually("the app's API works again") { try await hello(fresh).status == 200 }
        }

        @Test func `a frozen Redis is as good as none`() async throws {
            let session = try await stack.signIn()
            try await stack.frozen("redis") {
                try await eventually("revocation cannot be asked") {
                    try await hello(session).status == 503
                }
                try expectUnavailable(try await requestCode(), "POST /auth/otp/request")
            }
            try await expectRecovery(of: session)
        }

        @Test func `without token-service sessions go on, and a right code is not lost`() async throws {
            let session = try await stack.signIn()
            let body = try await verification(of: LatchkeyStack.freshPhone())
            try await stack.without(["token"]) {
                #expect(try await hello(session).status == 200)
                try expectUnavailable(try await refresh(session), "POST /auth/refresh")
                try expectUnavailable(
                    try await stack.gateway.post("/auth/otp/verify", encoding: body), "POST /auth/otp/verify")
                #expect(try await requestCode().status == 200)
            }
            #expect(try await stack.gateway.post("/auth/otp/verify", encoding: body).status == 200)
            #expect(try await refresh(session).status == 200)
            try await expectRecovery(of: session)
        }

        @Test func `without user-service refresh and the app's API work, and a right code is not lost`() async throws {
            let session = try await stack.signIn()
            let body = try await verification(of: LatchkeyStack.freshPhone())
            try await stack.without(["user"]) {
                try expectUnavailable(
                    try await stack.gateway.get("/users/me", bearer: session.tokens.accessToken), "GET /users/me")
                try expectUnavailable(
                    try await stack.gateway.post("/auth/otp/verify", encoding: body), "POST /auth/otp/verify")
                #expect(try await hello(session).status == 200)
                #expect(try await refresh(session).status == 200)
            }
            #expect(try await stack.gateway.post("/auth/otp/verify", encoding: body).status == 200)
            try await expectRecovery(of: session)
        }

        @Test func `without otp-service those who are signed in notice nothing`() async throws {
            let session = try await stack.signIn()
            try await stack.without(["otp"]) {
                try expectUnavailable(try await requestCode(), "POST /auth/otp/request")
                #expect(try await hello(session).status == 200)
                #expect(try await stack.gateway.get("/users/me", bearer: session.tokens.accessToken).status == 200)
                #expect(try await refresh(session).status == 200)
            }
            try await expectRecovery(of: session)
        }

        @Test func `without the app's API its requests fail and sign-in works`() async throws {
            let session = try await stack.signIn()
            try await stack.without(["sample-api"]) {
                #expect([502, 503, 504].contains(try await hello(session).status))
                _ = try await stack.signIn()
                #expect(try await refresh(session).status == 200)
            }
            try await expectRecovery(of: session)
        }

        @Test func `a code that cannot be sent is 503`() async throws {
            let session = try await stack.signIn()
            try await stack.without(["inbox"]) {
                try expectUnavailable(try await requestCode(), "POST /auth/otp/request")
                #expect(try await hello(session).status == 200)
            }
            try await expectRecovery(of: session)
        }

        @Test(.onFiles) func `a stack on SQLite loads no library of PostgreSQL`() throws {
            for name in try stack.processes { #expect(try !stack.maps("libpq", in: name), "\(name)") }
            #expect(try stack.maps("libsqlite3", in: "token"))
        }

        @Test func `a gateway that is killed keeps nobody out`() async throws {
            let session = try await stack.signIn()
            try stack.signal("gateway", 9)
            // The supervisor holds the public port: a request waits for the next gateway instead of being refused.
            try await eventually("the next gateway answers") {
                do { return try await hello(session).status == 200 } catch { return false }
            }
        }
    }
}
