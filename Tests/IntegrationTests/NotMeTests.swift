import AuthAPI
import Foundation
import TestSupport
import Testing

extension Live {
    /// A thief at an unlocked phone adds an identity, and its user reports it by the link of the notice. latchkey-fakes play Apple.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(["LATCHKEY_FAKES": "1", "LATCHKEY_POLICY": KeyPolicy.write("not-me", changing: [:])]))
    struct NotMeTests {
        private static let form = ("Content-Type", "application/x-www-form-urlencoded")

        let stack: LatchkeyStack
        let fakes: FakeProviders

        init() throws {
            stack = try #require(RunningStack.current)
            fakes = try FakeProviders(of: stack)
        }

        private func post(_ path: String, _ json: String, _ token: String? = nil) async throws -> HTTPAnswer {
            try await stack.gateway.send(
                "POST", path,
                headers: [("Content-Type", "application/json")]
                    + (token.map { [("Authorization", "Bearer \($0)")] } ?? []), body: Array(json.utf8))
        }

        private func send(_ path: String, _ form: String) async throws -> HTTPAnswer {
            try await stack.gateway.send("POST", path, headers: [Self.form], body: Array(form.utf8))
        }

        private func addAddress(_ address: String, _ token: String) async throws {
            let asked = try await post("/users/me/email/request", #"{"email":"\#(address)"}"#, token)
            guard asked.status == 200 else { throw UnexpectedAnswer(to: "POST /users/me/email/request", asked) }
            let code = try await stack.code(for: address)
            let added = try await post("/users/me/email", #"{"email":"\#(address)","code":"\#(code)"}"#, token)
            guard added.status == 200 else { throw UnexpectedAnswer(to: "POST /users/me/email", added) }
        }

        private func byApple(_ subject: String, _ path: String, _ token: String? = nil) async throws -> HTTPAnswer {
            let apple = try await fakes.identityToken(#"{"subject":"\#(subject)"}"#).identityToken
            return try await post(path, #"{"identityToken":"\#(apple)"}"#, token)
        }

        private func isAlive(_ accessToken: String) async throws -> Bool {
            try await stack.gateway.get("/api/hello", bearer: accessToken).status == 200
        }

        private func refresh(_ refreshToken: String) async throws -> HTTPAnswer {
            try await stack.gateway.post("/auth/refresh", encoding: RefreshBody(refreshToken: refreshToken))
        }

        /// The value of a hidden field of a page.
        private func field(_ name: String, _ page: HTTPAnswer) throws -> String {
            let parts = page.text.components(separatedBy: "name=\"\(name)\" value=\"")
            return try #require(parts.last?.components(separatedBy: "\"").first)
        }

        @Test func `a report ends all sessions, and the thief's identity waits for the operator`() async throws {
            let (phone, address) = (LatchkeyStack.freshPhone(), LatchkeyStack.freshAddress())
            let session = try await stack.signIn(phone: phone)
            try await addAddress(address, session.tokens.accessToken)
            let tokens = try await refresh(session.tokens.refreshToken).decoded(TokenReply.self)
            // Identities of one second are all counted as later than the change.
            try await Task.sleep(for: .seconds(1.1))
            let subject = "000123.\(UUID().uuidString.lowercased().prefix(13))"
            let added = try await byApple(subject, "/users/me/identities/apple", tokens.accessToken)
            #expect(added.status == 200, "\(added.text)")
            let link = try await stack.mailedLink(to: address, at: "/auth/not-me")
            let path = "\(link.path)?token=\(link.token)"

            // A link scanner opens the link, and sends things to its address.
            for method in ["GET", "HEAD", "GET"] {
                let opened = try await stack.gateway.send(method, path, headers: [], body: [])
                #expect(
                    opened.status == 200 || (method == "HEAD" && opened.status == 405), "\(method) \(opened.status)")
            }
            for form in ["", "token=\(link.token)", "token=\(link.token)&secret=\(link.token)", "secret=x"] {
                for path in [path, link.path] { #expect(try await send(path, form).status == 400, "\(form)") }
            }
            #expect(try await post(link.path, #"{"token":"\#(link.token)"}"#).status == 400)
            #expect(try await isAlive(tokens.accessToken))
            #expect(try await !stack.control("reviews list").output.contains(session.user.id))

            let page = try await stack.gateway.send("GET", path, headers: [("Accept-Language", "de")], body: [])
            #expect(page.text.contains("Das war ich nicht") && page.headers["cache-control"] == "no-store")
            let form = "token=\(try field("token", page))&secret=\(try field("secret", page))"
            let done = try await send(link.path, form)
            #expect(done.status == 200 && done.text.contains("All devices are signed out"), "\(done.text)")
            #expect(try await !isAlive(tokens.accessToken))
            #expect(try await refresh(tokens.refreshToken).status == 401)
            for answer in [try await send(link.path, form), try await stack.gateway.get(path)] {
                #expect(answer.status == 400 && answer.text.contains("already used"), "\(answer.text)")
            }

            let refused = try await byApple(subject, "/auth/apple")
            #expect(refused.status == 403 && refused.text.contains(#""account_under_review""#), "\(refused.text)")
            #expect(try await stack.signIn(phone: phone).user.id == session.user.id)
            try await clear(session.user.id)
            #expect(try await byApple(subject, "/auth/apple").decoded(SignInReply.self).user.id == session.user.id)
        }

        /// The operator looks at the review, and clears it.
        private func clear(_ user: String) async throws {
            #expect(try await stack.control("reviews list").output.contains(user))
            let cleared = try await stack.control("reviews clear \(user)")
            #expect(cleared.isSuccess && cleared.output.contains("cleared: \(user)"), "\(cleared.output)")
            #expect(try await !stack.control("reviews clear \(user)").isSuccess)
            #expect(try await !stack.control("reviews list").output.contains(user))
            let audit = try await stack.control("audit list --service user --user \(user)").output
            #expect(audit.contains("user.not_me") && audit.contains("user.review_cleared"), "\(audit)")
        }

        @Test func `a user without an address is told at the number of before, and reports there`() async throws {
            let (old, next) = (LatchkeyStack.freshPhone(), LatchkeyStack.freshPhone())
            let session = try await stack.signIn(phone: old)
            let token = session.tokens.accessToken
            #expect(try await post("/users/me/phone/request", #"{"phoneNumber":"\#(next)"}"#, token).status == 200)
            let code = try await stack.code(for: next)
            let changed = try await post("/users/me/phone", #"{"phoneNumber":"\#(next)","code":"\#(code)"}"#, token)
            #expect(changed.status == 200, "\(changed.text)")
            var texts: [String] = []
            try await eventually("a text message tells of the change") {
                texts = try await stack.messages(to: old).map(\.text).filter { $0.contains("/auth/not-me?token=") }
                return !texts.isEmpty
            }
            #expect(texts.count == 1)
            let path = try #require(texts.first?.components(separatedBy: "/auth/not-me").last)
            let page = try await stack.gateway.get("/auth/not-me" + path)
            let form = "token=\(try field("token", page))&secret=\(try field("secret", page))"
            #expect(try await send("/auth/not-me", form).status == 200)
            try await stack.requestCode(for: next)
            let refused = try await stack.gateway.post(
                "/auth/otp/verify",
                encoding: OTPVerifyBody(
                    phoneNumber: next, countryCode: "US", code: try await stack.code(for: next)))
            #expect(refused.status == 403 && refused.text.contains(#""account_under_review""#), "\(refused.text)")
        }

        @Test func `a blocked account signs in by nothing`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let session = try await stack.signIn(phone: phone)
            let blocked = try await stack.control("reviews block \(session.user.id)")
            #expect(blocked.isSuccess, "\(blocked.output)")
            #expect(try await !isAlive(session.tokens.accessToken))
            try await stack.requestCode(for: phone)
            let body = OTPVerifyBody(
                phoneNumber: phone, countryCode: "US", code: try await stack.code(for: phone))
            let refused = try await stack.gateway.post("/auth/otp/verify", encoding: body)
            #expect(refused.status == 403 && refused.text.contains("account_inactive"), "\(refused.text)")
        }
    }
}
