import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// A person who merges a second account, by howru's policy.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_FAKES": "1"]))
    struct MergeAccountsTests {
        let stack: LatchkeyStack
        let fakes: FakeProviders

        init() throws {
            stack = try #require(RunningStack.current)
            fakes = try FakeProviders(of: stack)
        }

        private func send(
            _ path: String, _ body: some Encodable, _ token: String, key: String
        ) async throws -> HTTPAnswer {
            try await stack.gateway.send(
                "POST", path,
                headers: [
                    ("Authorization", "Bearer \(token)"), ("Content-Type", "application/json"),
                    ("Idempotency-Key", key),
                ], body: Array(try JSONEncoder().encode(body)))
        }

        private func refresh(_ token: String) async throws -> HTTPAnswer {
            try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: token))
        }

        /// Refreshes a session again and again until it is refused or `isOver`, and returns its last refresh token.
        private func refreshing(_ session: SignInReply, until isOver: Flag) async throws -> String {
            var (token, status) = (session.tokens.refreshToken, 200)
            while status == 200, !isOver.isSet {
                let answer = try await refresh(token)
                status = answer.status
                if status == 200 { token = try answer.decoded(TokenReply.self).refreshToken }
            }
            return token
        }

        private func code(for phone: String, _ token: String) async throws -> String {
            let asked = try await send("/users/me/phone/request", OTPRequestBody(phoneNumber: phone), token, key: "a")
            guard asked.status == 200 else { throw UnexpectedAnswer(to: "POST /users/me/phone/request", asked) }
            return try await stack.code(for: phone)
        }

        @Test func `two accounts are merged while both refresh`() async throws {
            let (mine, others) = (LatchkeyStack.freshPhone(), LatchkeyStack.freshPhone())
            let (user, second) = (try await stack.signIn(phone: mine), try await stack.signIn(phone: mine))
            let other = try await stack.signIn(phone: others)
            let token = user.tokens.accessToken
            let body = OwnPhoneBody(phoneNumber: others, code: try await code(for: others, token))
            let taken = try await send("/users/me/phone", body, token, key: "b")
            #expect(taken.status == 409)
            let merge = MergeBody(mergeToken: try #require(try taken.decoded(Problem.self).mergeToken))

            let isOver = Flag()
            async let left = refreshing(second, until: isOver)
            async let ended = refreshing(other, until: isOver)
            let merged = try await send("/users/me/merge", merge, token, key: "c")
            #expect(try merged.decoded(IdentityChangeReply.self) == IdentityChangeReply(signedOut: false))
            // Nothing of the other account is accepted once the response is there.
            #expect(try await stack.gateway.get("/api/hello", bearer: other.tokens.accessToken).status == 401)
            #expect(try await stack.gateway.get("/api/hello", bearer: token).status == 401)
            isOver.set()
            let otherToken = try await ended
            #expect(try await refresh(otherToken).status == 401)
            let own = try await refresh(try await left).decoded(TokenReply.self)
            let me = try await stack.gateway.get("/users/me", bearer: own.accessToken).decoded(UserProfile.self)
            #expect(me.id == user.user.id && me.phoneNumber == mine)
            // The user keeps their own number. A sign-in with the other number begins a new account.
            let later = try await stack.signIn(phone: others)
            #expect(later.user.id != other.user.id && later.user.id != user.user.id)
        }

        @Test func `Apple comes with the account that had it, and signs in to the user's`() async throws {
            let subject = "000123.\(UUID().uuidString.lowercased().prefix(13))"
            func apple() async throws -> String {
                try await fakes.identityToken(#"{"subject":"\#(subject)"}"#).identityToken
            }
            func signIn() async throws -> HTTPAnswer {
                try await stack.gateway.post("/auth/apple", #"{"identityToken":"\#(try await apple())"}"#)
            }
            let old = try await signIn().decoded(SignInReply.self)
            let user = try await stack.signIn(phone: LatchkeyStack.freshPhone())
            let token = user.tokens.accessToken
            let body = OwnIdentityBody(identityToken: try await apple())
            let taken = try await send("/users/me/identities/apple", body, token, key: "a").decoded(Problem.self)
            #expect(taken.code == "identity_in_use")
            let merge = MergeBody(mergeToken: try #require(taken.mergeToken))
            #expect(try await send("/users/me/merge", merge, token, key: "b").status == 200)
            #expect(try await signIn().decoded(SignInReply.self).user.id == user.user.id)
            #expect(try await refresh(old.tokens.refreshToken).status == 401)
        }
    }
}
