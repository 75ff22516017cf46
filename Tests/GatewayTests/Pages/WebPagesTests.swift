import InternalAPI
import Policies
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Which requests are a page's, and which cookies it gets.
@Suite struct WebPagesTests {
    private static func pages(
        _ dialects: String = "{ name: native, profile: p, web: refreshCookie }", more: String = "",
        publicURL: String? = nil, in environment: DeploymentEnvironment = .production
    ) throws -> WebPages? {
        let policy = try Policy.parse(
            """
            issuer: a
            audience: b
            profiles: { p: { algorithm: EdDSA } }
            dialects: [\(dialects)]
            countries: { allowed: all }
            passwords: {}
            \(more)
            """, file: "test.yaml")
        return WebPages(policy, publicURL: publicURL.flatMap(PublicURL.init), in: environment)
    }

    private static func head(_ host: String, origin: String? = nil, more: String = "") throws -> RequestHead {
        let field = origin.map { "Origin: \($0)\r\n" } ?? ""
        return try HeadParsing.head(
            "POST /auth/login HTTP/1.1\r\nHost: \(host)\r\n\(field)\(more)Content-Length: 0\r\n\r\n")
    }

    @Test func `a policy without cookies has no pages`() throws {
        #expect(try Self.pages("{ name: native, profile: p }") == nil)
    }

    @Test(arguments: [
        ("https://api.example.com", true), ("https://api.example.com:8443", false), ("http://api.example.com", false),
        ("null", false), ("https://evil.example", false), ("https://API.example.com", false),
        ("https://api.example.com.evil.example", false), ("https://api.example.com/", false), ("", false),
    ])
    func `a page of the API's own origin is known by the public URL`(_ origin: String, _ isPage: Bool) throws {
        let pages = try #require(try Self.pages(publicURL: "https://api.example.com/auth-api"))
        #expect(try pages.request(Self.head("api.example.com", origin: origin), over: .https)?.isPage == isPage)
    }

    @Test func `without a public URL it is known by Host, in its usual port too`() throws {
        let pages = try #require(try Self.pages())
        let isPage = { (host: String, origin: String) throws in
            try pages.request(Self.head(host, origin: origin), over: .https)?.isPage
        }
        #expect(try isPage("api.example.com", "https://api.example.com") == true)
        #expect(try isPage("API.example.com:443", "https://api.example.com") == true)
        #expect(try isPage("api.example.com:8443", "https://api.example.com:8443") == true)
        #expect(try isPage("api.example.com:8443", "https://api.example.com") == false)
    }

    @Test func `with a public URL a foreign Host is nobody's`() throws {
        let pages = try #require(try Self.pages(publicURL: "https://api.example.com"))
        let request = try #require(
            try pages.request(Self.head("evil.example", origin: "https://evil.example"), over: .https))
        #expect(!request.isPage && request.origin == .other)
        let port = try pages.request(
            Self.head("api.example.com:8443", origin: "https://api.example.com:8443"), over: .https)
        #expect(port?.isPage == true)
    }

    @Test func `a dialect's host decides which dialect sets cookies there`() throws {
        let pages = try #require(
            try Self.pages(
                "{ name: native, profile: p, web: refreshCookie }, "
                    + "{ name: gremlin, profile: p, host: g.example.com, web: cookies }"))
        let there = try #require(
            try pages.request(Self.head("g.example.com", origin: "https://g.example.com"), over: .https))
        #expect(there.dialect.name == "gremlin" && there.dialect.keepsAccess && there.isPage)
        let elsewhere = try #require(
            try pages.request(Self.head("a.example.com", origin: "https://g.example.com"), over: .https))
        #expect(elsewhere.dialect.name == "native" && !elsewhere.isPage)
    }

    @Test func `a public URL of another host is not that of a dialect with its own`() throws {
        let gremlin = "{ name: native, profile: p }, { name: gremlin, profile: p, host: g.example.com, web: cookies }"
        let isPage = { (publicURL: String, origin: String) throws in
            try Self.pages(gremlin, publicURL: publicURL)?
                .request(Self.head("g.example.com", origin: origin), over: .https)?.isPage
        }
        #expect(try isPage("https://api.example.com", "https://api.example.com") == false)
        #expect(try isPage("https://api.example.com", "https://g.example.com") == true)
        #expect(try isPage("https://g.example.com:8443", "https://g.example.com:8443") == true)
    }

    @Test func `pages of other origins are those of the policy, named once`() throws {
        let pages = try #require(
            try Self.pages(
                more: """
                    cors: { origins: ["https://app.example.com", "https://other.example.com"], credentials: true }
                    cookies: { origins: ["https://app.example.com"] }
                    """))
        let origin = { (text: String, more: String) throws in
            try pages.request(Self.head("api.example.com", origin: text, more: more), over: .https)?.origin
        }
        #expect(try origin("https://app.example.com", "") == .allowed)
        #expect(try origin("https://other.example.com", "") == .other)
        #expect(try origin("https://app.example.com", "Origin: https://app.example.com\r\n") == .other)
        #expect(try pages.request(Self.head("api.example.com"), over: .https)?.origin == CrossSiteRule.Origin.none)
    }

    @Test func `over http there are no cookies, but on loopback in development`() throws {
        let cookie = "Cookie: __Host-latchkey-page=p; latchkey-page=q\r\n"
        let there = try Self.head("api.example.com", origin: "http://api.example.com", more: cookie)
        for environment in DeploymentEnvironment.allCases {
            #expect(try Self.pages(in: environment)?.request(there, over: .http) == nil)
        }
        for host in ["localhost:8080", "127.0.0.1:8080", "[::1]:8080"] {
            let head = try Self.head(host, origin: "http://\(host)", more: cookie)
            let local = try #require(
                try Self.pages(publicURL: "https://api.example.com", in: .development)?.request(head, over: .http))
            #expect(local.isPage && local.names == .plain && local.cookies.page == .text("q"))
            #expect(try Self.pages(in: .production)?.request(head, over: .http) == nil)
            #expect(try Self.pages(in: .uat)?.request(head, over: .http) == nil)
        }
    }

    // MARK: - Set-Cookie

    private static let tokens = TokenSet(
        accessToken: "a.b.c", refreshToken: "rt_1", accessExpiresAt: 1_600, refreshExpiresAt: 9_000, expiresIn: 600,
        sessionID: "s", userID: "u")

    private func cookies(
        _ dialect: String, host: String, over scheme: ForwardedScheme = .https, publicURL: String? = nil
    ) throws
        -> (set: [String], cleared: [String])
    {
        let pages = try #require(try Self.pages(dialect, publicURL: publicURL, in: .development))
        let request = try #require(try pages.request(Self.head(host), over: scheme))
        let secret = try #require(PageSecret("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"))
        return (request.storing(Self.tokens, secret, now: 1_000).map(\.1), request.clearing.map(\.1))
    }

    @Test func `native's refresh cookie goes to /auth only`() throws {
        let (set, cleared) = try cookies("{ name: native, profile: p, web: refreshCookie }", host: "a.example")
        #expect(
            set == [
                "__Secure-latchkey-refresh=rt_1; Path=/auth; Max-Age=8000; Secure; HttpOnly; SameSite=Strict",
                "__Host-latchkey-page=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8; Path=/; Max-Age=8000; Secure; HttpOnly; "
                    + "SameSite=Strict",
            ])
        #expect(
            cleared == [
                "__Secure-latchkey-refresh=; Path=/auth; Max-Age=0; Secure; HttpOnly; SameSite=Strict",
                "__Host-latchkey-page=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict",
            ])
    }

    @Test func `gremlin's access cookie goes along with a link from elsewhere`() throws {
        let native = "{ name: native, profile: p }, "
        let (set, cleared) = try cookies(native + "{ name: gremlin, profile: p, web: cookies }", host: "a.example")
        #expect(set.count == 3 && cleared.count == 3)
        #expect(set.first?.hasPrefix("__Secure-latchkey-refresh=rt_1; Path=/api/auth; ") == true)
        #expect(set.last == "__Host-latchkey-access=a.b.c; Path=/; Max-Age=600; Secure; HttpOnly; SameSite=Lax")
    }

    @Test func `aarokya's refresh cookie goes to the refresh only, below the path of the public URL`() throws {
        let (set, _) = try cookies(
            "{ name: native, profile: p }, { name: aarokya, profile: p, web: refreshCookie }", host: "a.example",
            publicURL: "https://a.example/v1")
        #expect(set.first?.hasPrefix("__Secure-latchkey-refresh=rt_1; Path=/v1/auth/token/refresh; ") == true)
        #expect(set.last?.contains("; Path=/; ") == true)
    }

    @Test func `the path of a public URL belongs to its host`() throws {
        let dialect = "{ name: native, profile: p, host: a.example, web: refreshCookie }"
        let (own, _) = try cookies(dialect, host: "a.example", publicURL: "https://a.example/v1")
        #expect(own.first?.contains("; Path=/v1/auth; ") == true)
        let (other, _) = try cookies(dialect, host: "a.example", publicURL: "https://b.example/v1")
        #expect(other.first?.contains("; Path=/auth; ") == true)
    }

    @Test func `at a host whose access token is in a cookie, each response depends on it`() throws {
        let pages = try #require(
            try Self.pages(
                "{ name: native, profile: p, web: refreshCookie }, "
                    + "{ name: gremlin, profile: p, host: g.example.com, web: cookies }"))
        #expect(try pages.keepsAccess(at: Self.head("g.example.com")))
        #expect(try !pages.keepsAccess(at: Self.head("a.example.com")))
    }

    @Test func `on loopback without TLS the names have no prefix, and nothing is Secure`() throws {
        let (set, _) = try cookies("{ name: native, profile: p, web: cookies }", host: "127.0.0.1:8080", over: .http)
        #expect(set.map { $0.prefix { $0 != "=" } } == ["latchkey-refresh", "latchkey-page", "latchkey-access"])
        #expect(set.allSatisfy { !$0.contains("Secure") && $0.contains("HttpOnly") })
    }

    // MARK: - Faults

    private func fault(
        _ cookies: String, more: String = "", at access: Route.Access? = nil
    ) throws -> PageRequest.Fault? {
        let pages = try #require(
            try Self.pages("{ name: native, profile: p, web: cookies }", publicURL: "https://api.example.com"))
        let head = try Self.head(
            "api.example.com", origin: "https://api.example.com", more: "Cookie: \(cookies)\r\n\(more)")
        let request = try #require(pages.request(head, over: .https))
        return access.map { request.fault(of: head, at: $0) } ?? request.fault(of: head)
    }

    @Test func `a name that is there twice counts where another host could not have set it`() throws {
        let (refresh, page, access) = ("__Secure-latchkey-refresh", "__Host-latchkey-page", "__Host-latchkey-access")
        for name in [refresh, page, access] {
            let twice = "\(name)=a; \(name)=a"
            #expect(try fault(twice) == .ambiguousCookie)
            #expect(try fault(twice, at: .open) == nil)
            for route in [Route.Access.bearer, .optional, .role(["admin"])] {
                #expect(try fault(twice, at: route) == (name == refresh ? nil : .ambiguousCookie))
            }
        }
        #expect(try fault("\(refresh)=a; \(page)=b; \(access)=c") == nil)
    }

    @Test func `another page's request is refused at every route, and only with our cookies`() throws {
        let cross = "Sec-Fetch-Site: cross-site\r\n"
        for access in [nil, Route.Access.open, .bearer] {
            #expect(try fault("__Host-latchkey-page=a", more: cross, at: access) == .crossSite)
            #expect(try fault("other=a", more: cross, at: access) == nil)
        }
    }
}
