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

        // MARK: - Merges that wait

        /// A user who has verified the number of another account, which has an address too, and has asked for the merge.
        private struct Waiting {
            let user, other: SignInReply
            let number, address: String
        }

        private func waiting() async throws -> Waiting {
            let (number, address) = (LatchkeyStack.freshPhone(), LatchkeyStack.freshAddress())
            let user = try await stack.signIn(phone: LatchkeyStack.freshPhone())
            let other = try await stack.signIn(phone: number)
            let (token, theirs) = (user.tokens.accessToken, other.tokens.accessToken)
            _ = try await send("/users/me/email/request", AccountMailBody(email: address), theirs, key: "a")
            let email = OwnEmailBody(email: address, code: try await stack.code(for: address))
            try #require(try await send("/users/me/email", email, theirs, key: "b").status == 200)
            let body = OwnPhoneBody(phoneNumber: number, code: try await code(for: number, token))
            let taken = try await send("/users/me/phone", body, token, key: "b")
            let mergeToken = try #require(try taken.decoded(Problem.self).mergeToken, "\(taken.text)")
            let refused = try await send("/users/me/merge", MergeBody(mergeToken: mergeToken), token, key: "c")
            #expect(try refused.decoded(Problem.self).code == "merge_proof_required")
            let merge = MergeBody(mergeToken: mergeToken, wait: true)
            let answer = try await send("/users/me/merge", merge, token, key: "d")
            #expect(answer.status == 202, "\(answer.text)")
            let movesAt = try answer.decoded(MergePendingReply.self).movesAt
            #expect(abs(movesAt - Int64(Date().timeIntervalSince1970) - 86_400) < 60)
            for (session, intoAnother) in [(user, false), (other, true)] {
                let pending = try await pending(session)
                #expect(pending == PendingMergeSummary(movesAt: movesAt, intoAnother: intoAnother))
            }
            return Waiting(user: user, other: other, number: number, address: address)
        }

        private func pending(_ session: SignInReply) async throws -> PendingMergeSummary? {
            try await stack.gateway.get("/users/me/identities", bearer: session.tokens.accessToken)
                .decoded(IdentityList.self).pendingMerge
        }

        private func find(_ session: SignInReply) async throws -> String {
            try await stack.control("users find \(session.user.id)").output
        }

        @Test func `a merge without a further proof waits, is told to both accounts, and happens`() async throws {
            let waiting = try await waiting()
            #expect(try await find(waiting.user).contains("\(waiting.other.user.id) into this account"))
            #expect(try await find(waiting.other).contains("into \(waiting.user.user.id)"))
            try await eventually("the other account's address and number are told") {
                let mails = try await stack.messages(to: waiting.address).filter { $0.text.contains("/auth/not-me") }
                let texts = try await stack.messages(to: waiting.number).filter { $0.text.contains("/auth/not-me") }
                return mails.count == 1 && !texts.isEmpty
            }
            try await stack.sql("users", "UPDATE pending_changes SET moves_at = moves_at - 86400")
            try await eventually("the accounts are merged") {
                try await stack.gateway.get("/users/me", bearer: waiting.other.tokens.accessToken).status == 401
            }
            #expect(try await find(waiting.other).contains("merged into"))
            let own = try await refresh(waiting.user.tokens.refreshToken).decoded(TokenReply.self)
            let me = try await stack.gateway.get("/users/me", bearer: own.accessToken).decoded(UserProfile.self)
            #expect(me.id == waiting.user.user.id && me.email == waiting.address)
        }

        @Test func `the other account's session objects, and the accounts stay apart`() async throws {
            let waiting = try await waiting()
            let objection = try await stack.gateway.send(
                "DELETE", "/users/me/merge/pending",
                headers: [("Authorization", "Bearer \(waiting.other.tokens.accessToken)")])
            #expect(objection.status == 200, "\(objection.text)")
            for session in [waiting.user, waiting.other] { #expect(try await pending(session) == nil) }
            #expect(try await stack.sql("users", "SELECT id FROM pending_changes").isEmpty)
            #expect(try await stack.signIn(phone: waiting.number).user.id == waiting.other.user.id)
        }

        @Test func `the link of the other account's notice ends the merge`() async throws {
            let waiting = try await waiting()
            let link = try await stack.mailedLink(to: waiting.address, at: "/auth/not-me")
            let page = try await stack.gateway.get("\(link.path)?token=\(link.token)").text
            let secret = page.components(separatedBy: "name=\"secret\" value=\"").last?
                .components(separatedBy: "\"").first
            let form = "token=\(link.token)&secret=\(try #require(secret))"
            let done = try await stack.gateway.send(
                "POST", link.path, headers: [("Content-Type", "application/x-www-form-urlencoded")],
                body: Array(form.utf8))
            #expect(done.status == 200, "\(done.text)")
            #expect(try await pending(waiting.user) == nil)
            #expect(try await stack.sql("users", "SELECT id FROM pending_changes").isEmpty)
            #expect(try await refresh(waiting.other.tokens.refreshToken).status == 401)
        }
    }
}
