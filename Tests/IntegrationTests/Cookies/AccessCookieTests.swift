import AuthAPI
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

// Cited by Tests/Compat/statements.md for G1, G3.

extension Live {
    /// gremlin's web pages, whose tokens are both in cookies, beside its apps.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": "gremlin"]))
    struct AccessCookieTests {
        let stack: LatchkeyStack
        let page: PageClient

        init() throws {
            stack = try #require(RunningStack.current)
            page = PageClient(stack.gateway)
        }

        private func signIn(_ user: PasswordUser) async throws -> HTTPAnswer { try await page.signIn(user) }

        @Test func `a page has no token in any response, and apps have theirs`() async throws {
            let user = try await stack.newPasswordUser(name: "Bo")
            let answer = try await signIn(user)
            #expect(answer.status == 200 && answer.cookies.count == 3, "\(answer.text)")
            #expect(try answer.json["session"]?.memberNames == ["expiresAt"])
            let access = try #require(page.cookies["latchkey-access"])
            #expect(access.path == "/" && access.attributes.hasSuffix("HttpOnly; SameSite=Lax"))
            #expect(page.cookies["latchkey-refresh"]?.path == "/api/auth")
            let refreshed = try await page.post("/api/auth/refresh")
            #expect(refreshed.status == 200 && refreshed.members(of: "session") == ["expiresAt"])
            #expect(page.cookies["latchkey-access"] != access)
            let app = try await patiently {
                try await stack.gateway.post(
                    "/api/auth/sign-in-email", #"{"email":"\#(user.address)","password":"\#(user.password)"}"#)
            }
            #expect(
                app.cookies == [] && app.members(of: "session") == ["expiresAt", "refreshToken", "token"])
        }

        @Test func `the access cookie opens the app's API and our own endpoints`() async throws {
            let user = try await stack.newPasswordUser()
            _ = try await signIn(user)
            let hello = try await page.get("/api/hello")
            #expect(hello.status == 200 && hello.text.contains(user.signIn.user.id))
            #expect(try await page.get("/users/me").text.contains(user.address))
            let echo = try await page.post("/api/echo", #"{"a":1}"#)
            #expect(echo.status == 200 && echo.text == #"{"a":1}"#)
            #expect(try await stack.gateway.get("/api/hello").status == 401)
        }

        @Test func `a bearer goes before the cookie, and is not helped by it`() async throws {
            let (one, two) = (try await stack.newPasswordUser(), try await stack.newPasswordUser())
            _ = try await signIn(one)
            let other = try await page.get(
                "/api/hello", headers: [("Authorization", "Bearer \(two.signIn.tokens.accessToken)")])
            #expect(other.text.contains(two.signIn.user.id) && !other.text.contains(one.signIn.user.id))
            for bad in ["Bearer x.y.z", "Basic YTpi", "Bearer"] {
                #expect(try await page.get("/api/hello", headers: [("Authorization", bad)]).status == 401)
            }
        }

        @Test(arguments: ["\"$\"", "x", "x.y.z", "$x"]) func `a wrong access cookie is 401, twice it is 400`(
            _ value: String
        ) async throws {
            _ = try await signIn(try await stack.newPasswordUser())
            let token = page.value("access") ?? ""
            let wrong = "latchkey-access=" + value.replacing("$", with: token)
            let answer = try await stack.gateway.send("GET", "/api/hello", headers: [("Cookie", wrong)])
            #expect(answer.status == 401, "\(answer.text)")
            let twice = try await stack.gateway.send(
                "GET", "/api/hello", headers: [("Cookie", "latchkey-access=\(token); \(wrong)")])
            #expect(twice.status == 400 && twice.text.contains("AMBIGUOUS_COOKIE"))
        }

        @Test func `another page neither reads nor acts, and a link from it opens signed in`() async throws {
            let user = try await stack.newPasswordUser()
            _ = try await signIn(user)
            for site in ["cross-site", "same-site"] {
                for mode in ["no-cors", "cors"] {
                    let read = try await page.get(
                        "/api/hello",
                        headers: [("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", mode), ("Sec-Fetch-Dest", "empty")])
                    #expect(read.status == 403 && read.text.contains("CROSS_SITE"))
                }
                let link = try await page.get(
                    "/api/hello",
                    headers: [("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")])
                #expect(link.status == 200 && link.text.contains(user.signIn.user.id))
            }
            let other = page.copy(origin: "https://evil.example")
            for path in ["/api/echo", "/api/auth/sign-out", "/api/auth/refresh"] {
                #expect(try await other.post(path).status == 403)
                #expect(try await page.send("POST", path, "{}", states: false).status == 403)
            }
            #expect(try await page.get("/api/hello").status == 200)
        }

        @Test func `after the sign-out the cookies open nothing, and so after an end elsewhere`() async throws {
            let user = try await stack.newPasswordUser()
            _ = try await signIn(user)
            let before = page.copy()
            let out = try await page.post("/api/auth/sign-out")
            #expect(out.status == 200 && out.cookies.count == 3 && page.cookies.isEmpty)
            try await eventually("the access cookie is refused") {
                try await before.get("/api/hello").status == 401
            }
            #expect(try await before.post("/api/auth/refresh").status == 401)
            #expect(before.cookies.isEmpty)
        }

        @Test func `a sign-in in another dialect ends the page's session and clears its cookies`() async throws {
            let (one, two) = (try await stack.newPasswordUser(), try await stack.newPasswordUser())
            let body = #"{"email":"\#(two.address)","password":"\#(two.password)"}"#
            // A page without a session has no cookies to clear.
            #expect(try await page.post("/auth/login", body).cookies == [])
            _ = try await signIn(one)
            let before = page.copy()
            let answer = try await page.post("/auth/login", body)
            #expect(answer.status == 200 && answer.cookies.count == 3 && page.cookies.isEmpty)
            let token = try #require(try answer.json["tokens"]?["accessToken"]?.stringValue)
            try await eventually("the first session's cookie is refused") {
                try await before.get("/api/hello").status == 401
            }
            #expect(try await stack.gateway.get("/api/hello", bearer: token).status == 200)
        }

        @Test func `aged and role-bound endpoints see the page's user`() async throws {
            let administrator = try await stack.newAdministrator()
            _ = try await signIn(administrator)
            #expect(try await page.get("/api/admin/users").status == 200)
            let user = PageClient(stack.gateway)
            let plain = try await stack.newPasswordUser()
            _ = try await user.signIn(plain)
            #expect(try await user.get("/api/admin/users").status == 403)
        }
    }
}

extension PageClient {
    /// Signs in at gremlin's endpoint.
    func signIn(_ user: PasswordUser) async throws -> HTTPAnswer {
        try await patiently {
            try await post(
                "/api/auth/sign-in-email", #"{"email":"\#(user.address)","password":"\#(user.password)"}"#)
        }
    }
}
