import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// Users who have lost their numbers, and numbers that have other owners by now: howru's policy with its delay of a day and
    /// `recycledNumbers.idleMonths: 4`. Time passes in the databases.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack([
            "LATCHKEY_FAKES": "1",
            "LATCHKEY_POLICY": KeyPolicy.write("lost-numbers", changing: ["idleMonths: none": "idleMonths: 4"]),
        ]))
    struct LostNumberTests {
        let stack: LatchkeyStack
        let fakes: FakeProviders

        init() throws {
            stack = try #require(RunningStack.current)
            fakes = try FakeProviders(of: stack)
        }

        private func verify(_ phone: String) async throws -> HTTPAnswer {
            try await stack.requestCode(for: phone)
            return try await verify(phone, try await stack.code(for: phone))
        }

        private func verify(_ phone: String, _ code: String, newAccount: Bool? = nil) async throws -> HTTPAnswer {
            try await stack.gateway.post(
                "/auth/otp/verify",
                encoding: OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: code, newAccount: newAccount))
        }

        private func identities(_ user: SignInReply) async throws -> IdentityList {
            try await stack.gateway.get("/users/me/identities", bearer: user.tokens.accessToken).decoded()
        }

        /// A user whose number support begins to replace, and the new number.
        private func begun() async throws -> (user: SignInReply, old: String, next: String) {
            let (old, next) = (LatchkeyStack.freshPhone(), LatchkeyStack.freshPhone())
            let user = try await stack.signIn(phone: old)
            let begun = try await stack.control("users replace-phone \(user.user.id) --to \(next)")
            try #require(begun.isSuccess, "\(begun.output)")
            return (user, old, next)
        }

        private func expectPending(_ answer: HTTPAnswer) throws -> Int64 {
            let problem = try answer.decoded(Problem.self)
            #expect(answer.status == 409 && problem.code == "phone_change_pending", "\(answer.text)")
            return try #require(problem.movesAt)
        }

        @Test func `a lost number is replaced after the delay, and all sessions end`() async throws {
            let (user, old, next) = try await begun()
            let movesAt = try expectPending(try await verify(next))
            #expect(abs(movesAt - Int64(Date().timeIntervalSince1970) - 86_400) < 60)
            #expect(try expectPending(try await verify(next)) == movesAt)
            #expect(
                try await identities(user).pendingPhone
                    == PendingPhoneSummary(movesAt: movesAt, lastDigits: String(next.suffix(2))))
            try await stack.sql("users", "UPDATE pending_changes SET moves_at = moves_at - 86400")
            try await eventually("the number has moved") {
                try await stack.gateway.get("/users/me", bearer: user.tokens.accessToken).status == 401
            }
            let refresh = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: user.tokens.refreshToken))
            #expect(refresh.status == 401)
            #expect(try await stack.signIn(phone: next).user.id == user.user.id)
            #expect(try await stack.signIn(phone: old).user.id != user.user.id)
        }

        @Test func `a user who objects keeps the number, and the other number begins an account`() async throws {
            let (user, old, next) = try await begun()
            _ = try expectPending(try await verify(next))
            let objection = try await stack.gateway.send(
                "DELETE", "/users/me/phone/pending",
                headers: [("Authorization", "Bearer \(user.tokens.accessToken)")])
            #expect(objection.status == 200, "\(objection.text)")
            #expect(try await identities(user).pendingPhone == nil)
            #expect(try await stack.signIn(phone: next).user.id != user.user.id)
            #expect(try await stack.signIn(phone: old).user.id == user.user.id)
            let again = try await stack.control("users replace-phone \(user.user.id) --to \(next)")
            #expect(!again.isSuccess && again.output.contains("Another user"), "\(again.output)")
            let cancelled = try await stack.control("users replace-phone \(user.user.id) --cancel")
            #expect(!cancelled.isSuccess, "\(cancelled.output)")
        }

        /// Lets a user have been away for half a year.
        private func age(_ user: SignInReply) async throws {
            let id = user.user.id.split(separator: "_").last ?? ""
            try await stack.sql(
                "users",
                """
                UPDATE identities SET created_at = created_at - 15552000, last_used_at = last_used_at - 15552000
                WHERE user_id = x'\(id)'
                """)
            try await stack.sql("tokens", "UPDATE sessions SET last_used_at = last_used_at - 15552000")
        }

        @Test func `a number of a user who was away begins a new account on request alone`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let user = try await stack.signIn(phone: phone)
            let apple = try await fakes.identityToken(#"{"subject":"000123.\#(phone.dropFirst())"}"#).identityToken
            let added = try await stack.gateway.send(
                "POST", "/users/me/identities/apple",
                headers: [
                    ("Authorization", "Bearer \(user.tokens.accessToken)"), ("Content-Type", "application/json"),
                ], body: Array(#"{"identityToken":"\#(apple)"}"#.utf8))
            try #require(added.status == 200, "\(added.text)")
            try await age(user)
            // otp-service approves the same code again for a minute, and recognises the network by now.
            try await stack.requestCode(for: phone)
            let code = try await stack.code(for: phone)
            for _ in 0..<2 {
                let refused = try await verify(phone, code)
                let problem = try refused.decoded(Problem.self)
                #expect(refused.status == 403 && problem.code == "second_identity_required", "\(refused.text)")
                #expect(problem.methods == ["apple"])
            }
            let new = try await verify(phone, code, newAccount: true).decoded(SignInReply.self)
            #expect(new.isNewUser && new.user.id != user.user.id && new.user.phoneNumber == phone)
            #expect(try await stack.signIn(phone: phone).user.id == new.user.id)
            let found = try await stack.control("users find \(user.user.id)")
            #expect(found.isSuccess && !found.output.contains(phone), "\(found.output)")
        }

        @Test func `a user who refreshed was not away`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let user = try await stack.signIn(phone: phone)
            try await age(user)
            let refreshed = try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: user.tokens.refreshToken))
            #expect(refreshed.status == 200, "\(refreshed.text)")
            #expect(try await stack.signIn(phone: phone).user.id == user.user.id)
        }
    }
}
