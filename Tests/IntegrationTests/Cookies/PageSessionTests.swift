import AuthAPI
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

// Cited by Tests/Compat/statements.md for A39, G1.

/// Runs one stack per suite with howru's policy and other values.
struct PolicyStackTrait: SuiteTrait, TestScoping {
    let policy: [String: String]
    let environment: [String: String]

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await LatchkeyStack.run(name: test.name, environment: environment, policy: policy) { stack in
            try await RunningStack.$current.withValue(stack) { try await function() }
        }
    }
}

extension Trait where Self == PolicyStackTrait {
    /// A stack of howru's policy with `changes`, old to new.
    static func stack(changing changes: [String: String], _ environment: [String: String] = [:]) -> Self {
        PolicyStackTrait(policy: changes, environment: environment)
    }
}

extension Live {
    /// Pages whose refresh token is in a cookie, through real processes; on loopback, where development needs no TLS.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(changing: PagePolicy.refreshCookie))
    struct PageSessionTests {
        let stack: LatchkeyStack
        let page: PageClient

        init() throws {
            stack = try #require(RunningStack.current)
            page = PageClient(stack.gateway)
        }

        private func hello(_ token: String) async throws -> Int {
            try await stack.gateway.get("/api/hello", bearer: token).status
        }

        // MARK: - Sign-in

        @Test func `a page's sign-in sets its cookies, and what is in one is not in the response`() async throws {
            let answer = try await page.signIn(on: stack)
            #expect(answer.status == 200)
            #expect(try answer.json["tokens"]?.memberNames == ["accessToken", "expiresIn"])
            #expect(answer.cookies.count == 2 && page.cookies.count == 2)
            let refresh = try #require(page.cookies["latchkey-refresh"])
            #expect(refresh.value.hasPrefix("rt_") && refresh.path == "/auth")
            #expect(
                refresh.attributes.hasSuffix("HttpOnly; SameSite=Strict")
                    && refresh.attributes.contains("Max-Age=2592000"))
            let secret = try #require(page.cookies["latchkey-page"])
            #expect(
                secret.value.utf8.count == 43 && secret.path == "/"
                    && secret.attributes.hasSuffix("HttpOnly; SameSite=Strict"))
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(try await hello(answer.decoded(SignInReply.self).tokens.accessToken) == 200)
        }

        @Test func `an app's sign-in is as it was`() async throws {
            let signIn = try await stack.signIn()
            #expect(signIn.tokens.refreshToken.hasPrefix("rt_"))
            for headers in [
                [], [("Origin", "https://evil.example")], [("Origin", "null")], [("Origin", "capacitor://localhost")],
            ] {
                let phone = LatchkeyStack.freshPhone()
                try await stack.requestCode(for: phone)
                let answer = try await stack.gateway.post(
                    "/auth/otp/verify",
                    encoding: OTPVerifyBody(
                        phoneNumber: phone, countryCode: "US", code: try await stack.code(for: phone)),
                    headers: headers)
                #expect(answer.status == 200 && answer.cookies == [])
                #expect(try answer.json["tokens"]?.memberNames == ["accessToken", "expiresIn", "refreshToken"])
            }
        }

        @Test func `a password's sign-in has neither name of the refresh token`() async throws {
            let user = try await stack.newPasswordUser()
            let answer = try await page.post(
                "/auth/login", #"{"email":"\#(user.address)","password":"\#(user.password)"}"#)
            #expect(answer.status == 200 && answer.cookies.count == 2)
            #expect(try answer.json["tokens"]?.memberNames == ["access", "accessToken", "expiresIn"])
            #expect(try await page.refresh().status == 200)
        }

        @Test func `the link of a mail signs a page in`() async throws {
            let mail = try await stack.askForMail()
            let answer = try await page.post(
                "/auth/magic-link/verify", String(decoding: try JSONEncoder().encode(mail.byLink), as: UTF8.self))
            #expect(answer.status == 200 && answer.cookies.count == 2 && !answer.text.contains("rt_"), "\(answer.text)")
            #expect(try await page.refresh().status == 200)
        }

        @Test func `discovery says where the tokens are and where they are renewed`() async throws {
            let discovery: Discovery = try await stack.gateway.get("/.well-known/latchkey").decoded()
            #expect(discovery.web == "refreshCookie" && discovery.refreshPath == "/auth/refresh")
        }

        @Test func `the list of sessions tells pages from apps`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let app = try await stack.signIn(phone: phone)
            try await page.signedIn(on: stack, phone: phone)
            let list: SessionList = try await stack.gateway.get("/sessions", bearer: app.tokens.accessToken).decoded()
            #expect(list.sessions.map(\.web) == [true, nil])
        }

        @Test func `a second person who signs in ends the first one's session`() async throws {
            let first = try await page.signedIn(on: stack)
            let before = page.copy()
            let second = try await page.signedIn(on: stack)
            #expect(try await hello(second) == 200)
            try await eventually("the first session's token is refused") {
                try await hello(first) == 401
            }
            // The refresh of another tab was on its way, and its response is the last to reach the jar that both share.
            let old = try await before.refresh()
            #expect(old.status == 401 && old.reason == "superseded")
            page.keep(old.cookies)
            #expect(try await page.refresh().status == 200)
        }

        @Test func `a sign-in that fails leaves the session alone`() async throws {
            let token = try await page.signedIn(on: stack)
            let wrong = try await page.post(
                "/auth/otp/verify",
                #"{"phoneNumber":"\#(LatchkeyStack.freshPhone())","countryCode":"US","code":"000000"}"#)
            #expect(wrong.status == 401 && wrong.cookies == [])
            #expect(try await hello(token) == 200)
            #expect(try await page.refresh().status == 200)
        }

        @Test func `a repeated sign-in has the same cookies, and does not end its own session`() async throws {
            let phone = LatchkeyStack.freshPhone()
            try await stack.requestCode(for: phone)
            let body = #"{"phoneNumber":"\#(phone)","countryCode":"US","code":"\#(try await stack.code(for: phone))"}"#
            let key = [("Idempotency-Key", UUID().uuidString)]
            let first = try await page.post("/auth/otp/verify", body, headers: key)
            let jar = page.cookies.mapValues(\.value)
            let again = try await page.post("/auth/otp/verify", body, headers: key)
            #expect(first.status == 200 && again.status == 200 && page.cookies.mapValues(\.value) == jar)
            #expect(try await page.refresh().status == 200)
        }

        // MARK: - Refresh

        @Test func `a refresh takes an empty body or an empty object, and rotates the cookie`() async throws {
            try await page.signedIn(on: stack)
            let secret = page.value("page")
            var seen: Set<String?> = [page.value("refresh")]
            for body in ["{}", "", " {} "] {
                let answer = try await page.send("POST", "/auth/refresh", body)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(try answer.json.memberNames == ["accessToken", "expiresIn"])
                #expect(seen.insert(page.value("refresh")).inserted && page.value("page") == secret)
            }
        }

        @Test func `a visitor without cookies gets 401 and nothing else`() async throws {
            for body in ["{}", ""] {
                let answer = try await page.send("POST", "/auth/refresh", body)
                #expect(answer.status == 401 && answer.cookies == [])
                #expect(answer.code == "missing_token" && answer.reason == nil)
            }
            // An app that forgets its token is told what is missing.
            let app = try await stack.gateway.post("/auth/refresh", "{}")
            #expect(app.status == 400 && app.text.contains("refreshToken"))
        }

        @Test func `one cookie of the two refreshes nothing`() async throws {
            try await page.signedIn(on: stack)
            for name in ["latchkey-refresh", "latchkey-page"] {
                let half = page.copy()
                half.remove(name)
                let answer = try await half.refresh()
                #expect(answer.status == 401 && answer.cookies == [] && answer.code == "missing_token")
            }
            #expect(try await page.refresh().status == 200)
        }

        @Test func `a hundred refreshes by one pair at once have one successor, and the session lives`() async throws {
            try await page.signedIn(on: stack)
            let pair = page.copy()
            let successors = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        let tab = pair.copy()
                        let answer = try await tab.refresh()
                        return (answer.status, tab.value("refresh"))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(successors.allSatisfy { $0.0 == 200 })
            #expect(Set(successors.map(\.1)).count == 1)
            page.set("latchkey-refresh", try #require(successors.first?.1), path: "/auth")
            #expect(try await page.refresh().status == 200)
        }

        @Test func `a replay has the newest token, however many refreshes it is behind`() async throws {
            try await page.signedIn(on: stack)
            let old = page.copy()
            #expect(try await page.refresh().status == 200)
            let replay = old.copy()
            #expect(try await replay.refresh().status == 200)
            #expect(replay.value("refresh") == page.value("refresh"))
            let between = page.copy()
            #expect(try await page.refresh().status == 200)
            // The successor is unused: the one before still yields it.
            #expect(try await between.refresh().status == 200)
            #expect(between.value("refresh") == page.value("refresh"))
            for _ in 0..<3 { #expect(try await page.refresh().status == 200) }
            let late = try await old.refresh()
            #expect(late.status == 200 && late.cookies.count == 2, "\(late.text)")
            #expect(old.value("refresh") == page.value("refresh"))
            #expect(try await old.refresh().status == 200)
        }

        @Test func `a token in the body goes before the cookie, and sets none`() async throws {
            try await page.signedIn(on: stack)
            let app = try await stack.signIn()
            let answer = try await page.refresh(#"{"refreshToken":"\#(app.tokens.refreshToken)"}"#)
            #expect(answer.status == 200 && answer.cookies == [])
            #expect(try answer.json.memberNames == ["accessToken", "expiresIn", "refreshToken"])
            let bad = try await page.refresh(#"{"refreshToken":"rt_nonsense"}"#)
            #expect(bad.status == 401 && bad.cookies == [])
            #expect(try await page.refresh().status == 200)
        }

        // MARK: - Sign-out

        @Test func `a sign-out by cookie ends the session and clears the cookies`() async throws {
            let token = try await page.signedIn(on: stack)
            let before = page.copy()
            // The second one finds no session, as at another tab's sign-out.
            for body in ["", "{}", #"{"scope":"session"}"#] {
                let answer = try await page.send("POST", "/auth/logout", body)
                #expect(answer.status == 200 && answer.cookies.count == 2, "\(body): \(answer.text)")
                #expect(page.cookies.isEmpty)
            }
            // No token says whose other sessions are meant, and an app is told what is missing.
            for body in [#"{"scope":"others"}"#, #"{"scope":"all"}"#] {
                #expect(try await page.send("POST", "/auth/logout", body).status == 400)
            }
            #expect(try await stack.gateway.post("/auth/logout", "{}").status == 400)
            try await eventually("the access token is refused") { try await hello(token) == 401 }
            let late = try await before.refresh()
            #expect(late.status == 401 && late.reason == "signed_out")
            #expect(late.cookies.count == 2 && before.cookies.isEmpty)
        }

        @Test func `a sign-out by bearer clears the cookies too, one of the others does not`() async throws {
            let token = try await page.signedIn(on: stack)
            let others = try await page.post("/auth/logout", #"{"scope":"others"}"#)
            #expect(others.status == 200 && others.cookies == [] && page.cookies.count == 2)
            page.remove("latchkey-refresh")
            let answer = try await page.post("/auth/logout", "{}", headers: [("Authorization", "Bearer \(token)")])
            #expect(answer.status == 200 && answer.cookies.count == 2 && page.cookies.isEmpty)
        }

        @Test func `a page signs out everywhere by its cookie`() async throws {
            let phone = LatchkeyStack.freshPhone()
            let app = try await stack.signIn(phone: phone)
            try await page.signedIn(on: stack, phone: phone)
            #expect(try await page.post("/auth/logout", #"{"scope":"all"}"#).status == 200)
            #expect(page.cookies.isEmpty)
            try await eventually("the app is signed out") {
                try await hello(app.tokens.accessToken) == 401
            }
        }

        @Test func `what does not end the session does not clear its cookies`() async throws {
            try await page.signedIn(on: stack)
            try await stack.without(["token"]) {
                let answer = try await page.refresh()
                #expect(answer.status == 503 && answer.cookies == [] && page.cookies.count == 2)
            }
            try await eventually("token-service is back") { try await page.refresh().status == 200 }
        }
    }
}
