import AuthAPI
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

// Cited by Tests/Compat/statements.md for A36, A39, G1, G3.

extension Live {
    /// Web pages over https, outside development: the cookies have the prefixes that browsers guard.
    enum PageOverTLSTests {
        private static let strict = "Secure; HttpOnly; SameSite=Strict"

        /// Runs `body` with a page of the gateway's own origin, over https.
        private static func withPage(_ body: (PageClient, LatchkeyStack) async throws -> Void) async throws {
            let stack = try #require(RunningStack.current)
            let base = try #require(stack.tls)
            try await TestHTTPClient(base: base).withConnections(8, trusting: stack.authority) { gateway in
                try await body(PageClient(gateway), stack)
            }
        }

        /// aarokya: the refresh token in a cookie (A36), which brings the session back after a reload (A39).
        @Suite(
            .serialized, .timeLimit(.minutes(5)),
            .stack([
                "LATCHKEY_POLICY": "aarokya", "LATCHKEY_ENV": "uat", "LATCHKEY_TLS_PORT": "0",
                "LATCHKEY_PUBLIC_URL": "https://127.0.0.1",
            ]))
        struct Aarokya {
            /// Returns the body of a sign-in, for which a code was requested.
            private func code(on page: PageClient) async throws -> String {
                let phone = AarokyaCalls.freshPhone()
                _ = try await page.gateway.post("/auth/otp/trigger", #"{"phone": "\#(phone)"}"#)
                return #"{"phone": "\#(phone)", "otp": "123456"}"#
            }

            private func signIn(_ page: PageClient) async throws -> String {
                let answer = try await page.post("/auth/otp/verify", try await code(on: page))
                try #require(answer.status == 200, "\(answer.text)")
                #expect(try answer.json.memberNames == ["access_token", "access_token_expires_at", "is_new_user"])
                return try #require(try answer.json["access_token"]?.stringValue)
            }

            @Test func `the refresh token is in a cookie for the refresh only`() async throws {
                try await withPage { page, _ in
                    _ = try await signIn(page)
                    let refresh = try #require(page.cookies["__Secure-latchkey-refresh"])
                    #expect(refresh.path == "/auth/token/refresh" && refresh.attributes.hasSuffix(strict))
                    let secret = try #require(page.cookies["__Host-latchkey-page"])
                    #expect(secret.path == "/" && secret.attributes.hasSuffix(strict) && page.cookies.count == 2)
                }
            }

            @Test func `after a reload the cookie brings the session back`() async throws {
                try await withPage { page, _ in
                    _ = try await signIn(page)
                    // Nothing else is left of the page.
                    let reloaded = page.copy()
                    let answer = try await reloaded.post("/auth/token/refresh")
                    #expect(answer.status == 200)
                    #expect(try answer.json.memberNames == ["access_token", "access_token_expires_at"])
                    let token = try #require(try answer.json["access_token"]?.stringValue)
                    #expect(try await page.gateway.get("/user/profile", bearer: token).status == 200)
                    #expect(try await reloaded.post("/auth/token/refresh").status == 200)
                }
            }

            @Test func `a second use by cookie is repeated, one by body is refused`() async throws {
                try await withPage { page, _ in
                    _ = try await signIn(page)
                    let (tab, body) = (page.copy(), #"{"refresh_token": "\#(page.value("refresh") ?? "")"}"#)
                    #expect(try await page.post("/auth/token/refresh").status == 200)
                    #expect(try await tab.post("/auth/token/refresh").status == 200)
                    #expect(tab.value("refresh") == page.value("refresh"))
                    #expect(try await page.gateway.post("/auth/token/refresh", body).status == 401)
                    // The newest one is of no use in a body either.
                    let newest = #"{"refresh_token": "\#(page.value("refresh") ?? "")"}"#
                    #expect(try await page.gateway.post("/auth/token/refresh", newest).status == 401)
                    #expect(try await page.post("/auth/token/refresh").status == 200)
                }
            }

            @Test func `the sign-out takes the bearer and clears the cookies`() async throws {
                try await withPage { page, _ in
                    let token = try await signIn(page)
                    let before = page.copy()
                    let answer = try await page.post(
                        "/auth/logout", "{}", headers: [("Authorization", "Bearer \(token)")])
                    #expect(answer.status == 200 && answer.cookies.count == 2 && page.cookies.isEmpty)
                    let late = try await before.post("/auth/token/refresh")
                    #expect(late.status == 401 && before.cookies.isEmpty)
                }
            }

            @Test func `another person's sign-in after a reload ends the first one's session`() async throws {
                try await withPage { page, _ in
                    let first = try await signIn(page)
                    let before = page.copy()
                    // The page has lost its access token, and the browser sends the refresh cookie only to the refresh.
                    let second = try await signIn(page)
                    try await eventually("the first token is refused") {
                        try await page.gateway.get("/user/profile", bearer: first).status == 401
                    }
                    let late = try await before.post("/auth/token/refresh")
                    #expect(late.status == 401 && late.cookies == [])
                    #expect(try await page.gateway.get("/user/profile", bearer: second).status == 200)
                    #expect(try await page.post("/auth/token/refresh").status == 200)
                }
            }

            @Test func `a foreign Host is no page's`() async throws {
                try await withPage { page, _ in
                    let foreign = [
                        ("Host", "evil.example"), ("Origin", "https://evil.example"),
                        ("Content-Type", "application/json"),
                    ]
                    let answer = try await page.gateway.send(
                        "POST", "/auth/otp/verify", headers: foreign, body: Array(try await code(on: page).utf8))
                    #expect(answer.status == 200 && answer.cookies == [] && answer.text.contains("refresh_token"))
                    _ = try await signIn(page)
                    let cookies = [("Cookie", page.cookieField(for: "/auth/token/refresh") ?? "")]
                    let refused = try await page.gateway.send(
                        "POST", "/auth/token/refresh", headers: foreign + cookies, body: Array("{}".utf8))
                    #expect(refused.status == 403 && refused.cookies == [], "\(refused.text)")
                    #expect(try await page.post("/auth/token/refresh").status == 200)
                }
            }

            @Test func `over http no cookie is read or set`() async throws {
                try await withPage { page, stack in
                    _ = try await signIn(page)
                    let plain = PageClient(stack.gateway, cookies: page.cookies)
                    // The page's own cookies, sent without TLS by a client that is no browser.
                    let refresh = try await plain.post("/auth/token/refresh")
                    #expect(refresh.status == 400 && refresh.cookies == [])
                    let answer = try await plain.post("/auth/otp/verify", try await code(on: plain))
                    #expect(answer.status == 200 && answer.cookies == [] && answer.text.contains("refresh_token"))
                    #expect(try await page.post("/auth/token/refresh").status == 200)
                }
            }
        }

        /// gremlin: cookies for web pages (G1), HttpOnly and secure (G3).
        @Suite(
            .serialized, .timeLimit(.minutes(5)),
            .stack(["LATCHKEY_POLICY": "gremlin", "LATCHKEY_TLS_PORT": "0"]))
        struct Gremlin {
            @Test func `a page is signed in by cookies that no script reads and no other host sets`() async throws {
                try await withPage { page, stack in
                    let user = try await stack.newPasswordUser()
                    let answer = try await page.signIn(user)
                    #expect(
                        answer.status == 200 && !answer.text.contains("token") && !answer.text.contains("refreshToken"))
                    let names = ["__Host-latchkey-access", "__Host-latchkey-page", "__Secure-latchkey-refresh"]
                    #expect(page.cookies.keys.sorted() == names)
                    for (name, cookie) in page.cookies {
                        let sameSite = name.hasSuffix("access") ? "Lax" : "Strict"
                        #expect(cookie.attributes.hasSuffix("Secure; HttpOnly; SameSite=\(sameSite)"))
                        #expect(!cookie.attributes.contains("Domain"))
                    }
                    let hello = try await page.get("/api/hello")
                    #expect(hello.status == 200 && hello.text.contains(user.signIn.user.id))
                    // The very cookies without TLS open nothing.
                    let plain = PageClient(stack.gateway, cookies: page.cookies)
                    #expect(try await plain.get("/api/hello").status == 401)
                    #expect(try await page.post("/api/auth/sign-out").status == 200)
                    #expect(page.cookies.isEmpty)
                }
            }
        }
    }
}
