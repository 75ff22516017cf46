import AuthAPI
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

extension Live {
    /// Other pages and hosts that try to use a page's cookies, and cookies that are wrong: each has one stated answer.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(changing: PagePolicy.refreshCookie))
    struct PageAttackTests {
        let stack: LatchkeyStack
        let page: PageClient

        init() throws {
            stack = try #require(RunningStack.current)
            page = PageClient(stack.gateway)
        }

        private func send(_ path: String, _ headers: [(String, String)], cookies: String?) async throws -> HTTPAnswer {
            let field = cookies.map { [("Cookie", $0)] } ?? []
            return try await stack.gateway.send(
                "POST", path, headers: headers + field + [("Content-Type", "application/json")], body: Array("{}".utf8))
        }

        // MARK: - Other pages

        @Test(arguments: [
            [("Origin", "https://evil.example")], [("Origin", "null")], [], [("Origin", "http://sibling.localhost")],
            [("Origin", "$OWN"), ("Sec-Fetch-Site", "cross-site")], [("Origin", "$OWN"), ("Origin", "$OWN")],
            [("Sec-Fetch-Site", "same-origin")], [("Origin", "$OWN/")], [("Origin", "capacitor://localhost")],
        ])
        func `another page neither refreshes nor signs out`(headers: [(String, String)]) async throws {
            let token = try await page.signedIn(on: stack)
            let stated = headers.map { ($0.0, $0.1.replacing("$OWN", with: stack.gateway.base)) }
            for path in ["/auth/refresh", "/auth/logout", "/auth/otp/request", "/api/echo"] {
                let answer = try await send(path, stated, cookies: page.cookieField(for: "/auth/refresh"))
                #expect(answer.status == 403 && answer.code == "cross_site" && answer.cookies == [], "\(path)")
            }
            #expect(try await stack.gateway.get("/api/hello", bearer: token).status == 200)
            #expect(try await page.refresh().status == 200)
        }

        @Test func `another site opens pages, and reads nothing`() async throws {
            try await page.signedIn(on: stack)
            let cookie = [("Cookie", page.cookieField(for: "/auth") ?? "")]
            let navigation = [
                ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document"),
            ]
            let opened = try await stack.gateway.send("GET", "/auth/magic-link?token=x", headers: cookie + navigation)
            #expect(opened.status == 200)
            for site in ["cross-site", "same-site"] {
                let read = try await stack.gateway.send(
                    "GET", "/.well-known/latchkey",
                    headers: cookie + [("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", "no-cors")])
                #expect(read.status == 403 && read.code == "cross_site")
            }
        }

        @Test func `a page of another origin signs itself in without cookies`() async throws {
            let other = PageClient(stack.gateway, origin: "https://evil.example")
            let answer = try await other.signIn(on: stack)
            #expect(answer.status == 200 && answer.cookies == [])
            #expect(try answer.json["tokens"]?.memberNames == ["accessToken", "expiresIn", "refreshToken"])
        }

        @Test func `a refresh cookie that another host of the site set signs nobody in`() async throws {
            let attacker = PageClient(stack.gateway)
            try await attacker.signedIn(on: stack)
            try await page.signedIn(on: stack)
            let victim = page.copy()
            victim.set("latchkey-refresh", try #require(attacker.value("refresh")), path: "/auth")
            let answer = try await victim.refresh()
            #expect(answer.status == 401 && answer.cookies == [])
            #expect(answer.code == "invalid_refresh_token" && answer.reason == nil)
            // A victim who has no session at all.
            let visitor = PageClient(stack.gateway)
            visitor.set("latchkey-refresh", try #require(attacker.value("refresh")), path: "/auth")
            let none = try await visitor.refresh()
            #expect(none.status == 401 && none.code == "missing_token")
            // An app's token neither.
            let app = try await stack.signIn()
            victim.set("latchkey-refresh", app.tokens.refreshToken, path: "/auth")
            #expect(try await victim.refresh().status == 401)
            #expect(try await attacker.refresh().status == 200)
            #expect(try await page.refresh().status == 200)
            #expect(
                try await stack.gateway.post(
                    "/auth/refresh", encoding: RefreshBody(refreshToken: app.tokens.refreshToken)
                )
                .status == 200)
        }

        // MARK: - Bad input

        @Test(arguments: ["latchkey-refresh", "latchkey-page", "latchkey-access"])
        func `one of our names twice is 400, and uses and clears nothing`(name: String) async throws {
            try await page.signedIn(on: stack)
            let field = page.cookieField(for: "/auth/refresh") ?? ""
            let value = page.cookies[name]?.value ?? "x"
            for cookies in ["\(name)=\(value); \(field); \(name)=\(value)", "\(name)=y; \(field); \(name)="] {
                for path in ["/auth/refresh", "/auth/logout"] {
                    let answer = try await send(path, [("Origin", stack.gateway.base)], cookies: cookies)
                    #expect(answer.status == 400 && answer.code == "ambiguous_cookie" && answer.cookies == [])
                }
            }
            #expect(try await page.refresh().status == 200)
        }

        @Test func `a hundred cookies, and sixteen kilobytes of them, change nothing`() async throws {
            for more in [
                (0..<100).map { "c\($0)=\($0)" }.joined(separator: "; "),
                "long=" + String(repeating: "x", count: 16_384),
            ] {
                try await page.signedIn(on: stack)
                let field = page.cookieField(for: "/auth/refresh") ?? ""
                for cookies in ["\(more); \(field)", more] {
                    let answer = try await send("/auth/refresh", [("Origin", stack.gateway.base)], cookies: cookies)
                    #expect(answer.status == (cookies == more ? 401 : 200), "\(answer.text)")
                }
            }
        }

        @Test func `names in another case and prefixed ones without TLS are not ours`() async throws {
            try await page.signedIn(on: stack)
            let field = page.cookieField(for: "/auth/refresh") ?? ""
            for cookies in [
                field.uppercased(), field.replacing("latchkey", with: "Latchkey"),
                field.replacing("latchkey-page", with: "__Host-latchkey-page").replacing(
                    "latchkey-refresh", with: "__Secure-latchkey-refresh"),
            ] {
                let answer = try await send("/auth/refresh", [("Origin", stack.gateway.base)], cookies: cookies)
                #expect(answer.status == 401 && answer.code == "missing_token" && answer.cookies == [])
            }
            #expect(try await page.refresh().status == 200)
        }

        @Test func `a quoted value is another value`() async throws {
            try await page.signedIn(on: stack)
            let (token, secret) = (page.value("refresh") ?? "", page.value("page") ?? "")
            for (cookies, code) in [
                ("latchkey-refresh=\"\(token)\"; latchkey-page=\(secret)", "invalid_refresh_token"),
                ("latchkey-refresh=\(token); latchkey-page=\"\(secret)\"", "missing_token"),
            ] {
                let answer = try await send("/auth/refresh", [("Origin", stack.gateway.base)], cookies: cookies)
                #expect(answer.status == 401 && answer.code == code && answer.cookies == [])
            }
            #expect(try await page.refresh().status == 200)
        }
    }
}
