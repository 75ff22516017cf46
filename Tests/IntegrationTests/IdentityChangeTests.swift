import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// Users who change their numbers and add other identities, by howru's policy with `identityChange.ends: others`; latchkey-fakes
    /// play Apple.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack([
            "LATCHKEY_FAKES": "1",
            "LATCHKEY_POLICY": KeyPolicy.write(
                "identities", changing: ["default others\n  ends: all": "default others\n  ends: others"]),
        ]))
    struct IdentityChangeTests {
        let stack: LatchkeyStack
        let fakes: FakeProviders

        init() throws {
            stack = try #require(RunningStack.current)
            fakes = try FakeProviders(of: stack)
        }

        private func send(
            _ method: String, _ path: String, _ json: String? = nil, _ token: String, key: String? = nil
        ) async throws -> HTTPAnswer {
            try await stack.gateway.send(
                method, path,
                headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")]
                    + (key.map { [("Idempotency-Key", $0)] } ?? []), body: json.map { Array($0.utf8) })
        }

        private func signIn(_ phone: String = LatchkeyStack.freshPhone()) async throws -> (String, SignInReply) {
            (phone, try await stack.signIn(phone: phone))
        }

        /// Asks for the code that adds a number.
        private func requestNumber(_ phone: String, _ token: String) async throws -> String {
            let asked = try await send("POST", "/users/me/phone/request", #"{"phoneNumber":"\#(phone)"}"#, token)
            guard asked.status == 200 else { throw UnexpectedAnswer(to: "POST /users/me/phone/request", asked) }
            return try await stack.code(for: phone)
        }

        private func addNumber(
            _ phone: String, _ code: String, _ token: String, key: String? = nil
        ) async throws -> HTTPAnswer {
            try await send(
                "POST", "/users/me/phone", #"{"phoneNumber":"\#(phone)","code":"\#(code)"}"#, token, key: key)
        }

        private func addApple(_ subject: String, _ token: String) async throws -> HTTPAnswer {
            let apple = try await fakes.identityToken(#"{"subject":"\#(subject)"}"#).identityToken
            return try await send("POST", "/users/me/identities/apple", #"{"identityToken":"\#(apple)"}"#, token)
        }

        private func signInByApple(_ subject: String) async throws -> SignInReply {
            let apple = try await fakes.identityToken(#"{"subject":"\#(subject)"}"#).identityToken
            let answer = try await stack.gateway.post("/auth/apple", #"{"identityToken":"\#(apple)"}"#)
            guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST /auth/apple", answer) }
            return try answer.decoded()
        }

        private func refresh(_ session: SignInReply) async throws -> HTTPAnswer {
            try await stack.gateway.post(
                "/auth/refresh", encoding: RefreshBody(refreshToken: session.tokens.refreshToken))
        }

        private func subject() -> String { "000123.\(UUID().uuidString.lowercased().prefix(13))" }

        @Test func `a user with a new number keeps the account, and the old number leads elsewhere`() async throws {
            let (old, first) = try await signIn()
            let second = try await stack.signIn(phone: old)
            let next = LatchkeyStack.freshPhone()
            let token = first.tokens.accessToken
            let code = try await requestNumber(next, token)
            let text = try #require(try await stack.messages(to: next).first?.text)
            #expect(text.contains("adds this number to an account"), "\(text)")
            for _ in 0..<2 {
                let changed = try await addNumber(next, code, token, key: "k-1")
                // The first change makes the token old at once; a repeat with it is refused.
                guard changed.status != 401 else { continue }
                #expect(try changed.decoded(IdentityChangeReply.self) == IdentityChangeReply(signedOut: false))
            }
            #expect(try await stack.gateway.get("/api/hello", bearer: token).status == 401)
            #expect(try await refresh(second).status == 401)
            let refreshed = try await refresh(first).decoded(TokenReply.self)
            let me = try await stack.gateway.get("/users/me", bearer: refreshed.accessToken).decoded(UserProfile.self)
            #expect(me.id == first.user.id && me.phoneNumber == next)
            #expect(try await stack.signIn(phone: next).user.id == first.user.id)
            #expect(try await stack.signIn(phone: old).user.id != first.user.id)
        }

        @Test func `a code to sign in adds nothing, and a code to add signs nobody in`() async throws {
            let (_, user) = try await signIn()
            let token = user.tokens.accessToken
            let next = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: next)
            let other = try await stack.code(for: next)
            #expect(try await addNumber(next, other, token).status == 401)
            let code = try await requestNumber(next, token)
            let stolen = try await stack.gateway.post(
                "/auth/otp/verify", encoding: OTPVerifyBody(phoneNumber: next, countryCode: "US", code: code))
            #expect(stolen.status == 401, "\(stolen.text)")
            // It is bound to the user who asked for it.
            let (_, thief) = try await signIn()
            #expect(try await addNumber(next, code, thief.tokens.accessToken).status == 401)
            #expect(try await addNumber(next, code, token).status == 200)
        }

        @Test func `Apple is added to an account with a number, and signs in to it`() async throws {
            let (phone, user) = try await signIn()
            let (token, subject) = (user.tokens.accessToken, subject())
            #expect(try await addApple(subject, token).decoded(IdentityChangeReply.self).signedOut == false)
            #expect(try await stack.gateway.get("/api/hello", bearer: token).status == 200)
            #expect(try await signInByApple(subject).user.id == user.user.id)
            let list = try await send("GET", "/users/me/identities", nil, token).decoded(IdentityList.self)
            let number = try #require(list.identities.first { $0.kind == "phone" })
            let apple = try #require(list.identities.first { $0.kind == "apple" })
            #expect(list.identities.count == 2 && number.value == phone && apple.value == nil && !list.hasPassword)

            let (_, other) = try await signIn()
            let taken = try await addApple(subject, other.tokens.accessToken)
            #expect(taken.status == 409 && taken.text.contains(#""code":"identity_in_use""#), "\(taken.text)")
            #expect(try await signInByApple(subject).user.id == user.user.id)

            let removed = try await send("DELETE", "/users/me/identities/\(number.id)", nil, token)
            #expect(removed.status == 200, "\(removed.text)")
            #expect(try await stack.gateway.get("/api/hello", bearer: token).status == 401)
            let again = try await signInByApple(subject)
            #expect(again.user.id == user.user.id && again.user.phoneNumber == nil)
            let last = try await send(
                "DELETE", "/users/me/identities/\(apple.id)", nil, again.tokens.accessToken)
            #expect(last.status == 409 && last.text.contains(#""code":"last_identity""#), "\(last.text)")
            #expect(try await stack.signIn(phone: phone).user.id != user.user.id)
        }

        @Test func `a sign-in that is under way while its identity is removed leads elsewhere`() async throws {
            let (phone, user) = try await signIn()
            let (token, subject) = (user.tokens.accessToken, subject())
            #expect(try await addApple(subject, token).status == 200)
            // The code is there, but not entered yet.
            try await stack.requestCode(for: phone)
            let code = try await stack.code(for: phone)
            let list = try await send("GET", "/users/me/identities", nil, token).decoded(IdentityList.self)
            let number = try #require(list.identities.first { $0.kind == "phone" })
            #expect(try await send("DELETE", "/users/me/identities/\(number.id)", nil, token).status == 200)
            let body = OTPVerifyBody(phoneNumber: phone, countryCode: "US", code: code)
            let other = try await stack.gateway.post("/auth/otp/verify", encoding: body).decoded(SignInReply.self)
            #expect(other.isNewUser && other.user.id != user.user.id)
            #expect(try await signInByApple(subject).user.id == user.user.id)
        }

        @Test func `a number whose text messages are used up is not added, and the old one stays`() async throws {
            let (phone, user) = try await signIn()
            let (token, next) = (user.tokens.accessToken, LatchkeyStack.freshPhone())
            // Codes to sign in count as those to add do: three an hour.
            try await stack.requestCode(for: next)
            for _ in 0..<2 { _ = try await requestNumber(next, token) }
            let code = try await stack.code(for: next)
            let refused = try await send("POST", "/users/me/phone/request", #"{"phoneNumber":"\#(next)"}"#, token)
            #expect(refused.status == 429 && refused.headers["retry-after"] != nil, "\(refused.text)")
            let list = try await send("GET", "/users/me/identities", nil, token).decoded(IdentityList.self)
            #expect(list.identities.map(\.value) == [phone])
            // The last code is as good as before.
            #expect(try await addNumber(next, code, token).status == 200)
        }

        @Test func `another user's number is refused only after its code`() async throws {
            let (taken, _) = try await signIn()
            let (_, user) = try await signIn()
            let token = user.tokens.accessToken
            let code = try await requestNumber(taken, token)
            #expect(try await addNumber(taken, code == "000000" ? "000001" : "000000", token).status == 401)
            let refused = try await addNumber(taken, code, token)
            #expect(refused.status == 409 && refused.text.contains(#""code":"identity_in_use""#), "\(refused.text)")
        }

        @Test func `the profile takes no number and no address, and says which endpoint does`() async throws {
            let (_, user) = try await signIn()
            for (member, path) in [("phoneNumber", "phone"), ("email", "email")] {
                let answer = try await send("PATCH", "/users/me", #"{"\#(member)":"x"}"#, user.tokens.accessToken)
                #expect(answer.status == 400 && answer.text.contains("/users/me/\(path)/request"), "\(answer.text)")
            }
        }
    }
}
