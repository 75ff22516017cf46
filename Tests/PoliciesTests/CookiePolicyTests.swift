import Testing

@testable import Policies

/// The keys of web pages whose sessions are in cookies.
@Suite struct CookiePolicyTests {
    private static let page = PolicyText.minimal.replacing(
        "profile: mobile }", with: "profile: mobile, web: refreshCookie }")
    private static let cors = "cors: { origins: [\"https://app.example.com\"], credentials: true }\n"
    private static let cookies = "cookies: { origins: [\"https://app.example.com\"] }\n"

    private static func dialects(_ more: String) -> String {
        PolicyText.minimal.replacing("profile: mobile }", with: "profile: mobile }\n  - { profile: mobile, \(more) }")
            + "passwords: {}\n"
    }

    @Test func `no page has cookies unless the policy says so`() throws {
        let policy = try PolicyText.parse(PolicyText.minimal)
        #expect(policy.dialects.map(\.web) == [.none] && policy.cookies.origins.isEmpty && policy.web == WebPolicy())
        #expect(try PolicyText.parse(Self.page).dialects.map(\.web) == [.refreshCookie])
    }

    @Test(arguments: [
        ("aarokya", "refreshCookie", true), ("aarokya", "cookies", false), ("gremlin", "cookies", true),
        ("gremlin", "refreshCookie", false), ("voltyks", "cookies", false), ("voltyks", "none", true),
        ("voltyks", "refreshCookie", false), ("uta", "cookies", true), ("uta", "refreshCookie", true),
    ])
    func `a dialect has the cookies that its document asks for`(_ name: String, _ web: String, _ isRight: Bool) {
        let findings = PolicyText.findings(Self.dialects("name: \(name), web: \(web)"))
        #expect(findings.isEmpty == isRight && findings.count <= 1, "\(findings)")
        #expect(
            isRight || findings.first?.contains("dialects[1].web: \(web) does not go with \(name). Use none") == true)
    }

    @Test func `the shipped policies have those of their documents`() throws {
        let web = { (name: String) throws in
            try Policy.load(named: name, directory: PolicyText.policiesDirectory()).dialects.map(\.web)
        }
        #expect(try web("aarokya") == [.refreshCookie, .none] && web("gremlin") == [.cookies, .none])
        for name in ["howru", "starter", "voltyks", "uta"] { #expect(try web(name).allSatisfy { $0 == .none }) }
    }

    @Test func `two dialects with cookies need different hosts`() {
        let both =
            Self.page.replacing(
                "web: refreshCookie }",
                with: "web: refreshCookie }\n  - { name: gremlin, profile: mobile, web: cookies }")
            + "passwords: {}\n"
        #expect(
            PolicyText.findings(both) == [
                "test.yaml:6: dialects[1].web: native and gremlin would set cookies of the same names on one host. Give one of "
                    + "them a host of its own, or web: none (deploy/docs/run/cookies.md)."
            ])
        #expect(PolicyText.findings(both.replacing("web: cookies", with: "host: g.example, web: cookies")) == [])
    }

    @Test func `a page of another origin has to be able to read`() {
        #expect(PolicyText.findings(Self.page + Self.cors + Self.cookies) == [])
        for cors in [
            "", "cors: none\n", Self.cors.replacing("true", with: "false"), Self.cors.replacing("app.", with: "www."),
        ] {
            let findings = PolicyText.findings(Self.page + cors + Self.cookies)
            #expect(findings.count == 1 && findings.first?.contains(" cookies.origins[0]: ") == true, "\(findings)")
        }
    }

    @Test func `origins need a dialect with cookies`() {
        let findings = PolicyText.findings(PolicyText.minimal + Self.cors + Self.cookies)
        #expect(findings.count == 1 && findings.first?.contains(" cookies: has no effect") == true, "\(findings)")
    }

    @Test(arguments: [
        ("http://app.example.com", false), ("https://app.example.com/", false), ("*", false), ("null", false),
        ("capacitor://localhost", false), ("https://app.example.com:8443", true), ("http://localhost:5173", true),
        ("http://127.0.0.1:5173", true), ("http://127.evil.example", false), ("http://192.168.1.2", false),
    ])
    func `an origin is https, or loopback`(_ origin: String, _ isRight: Bool) {
        let text =
            Self.page + Self.cors.replacing("https://app.example.com", with: origin)
            + Self.cookies.replacing("https://app.example.com", with: origin)
        #expect(!PolicyText.findings(text).contains { $0.contains("cookies.origins") } == isRight)
    }

    @Test(arguments: ["capacitor://localhost", "ionic://localhost", "https://localhost"])
    func `pages inside apps may call with bearer tokens`(_ origin: String) {
        #expect(PolicyText.findings(PolicyText.minimal + "cors: { origins: [\"\(origin)\"] }\n") == [])
        #expect(!PolicyText.findings(PolicyText.minimal + "cors: { origins: [\"\(origin)/x\"] }\n").isEmpty)
    }

    private static func policy(of origin: String, _ page: String = page) throws -> Policy {
        try PolicyText.parse(page + (cors + cookies).replacing("https://app.example.com", with: origin))
    }

    @Test func `an origin over http gets no cookies in production`() throws {
        #expect(try Self.policy(of: "https://app.example.com").problems(in: .production) == [])
        let local = try Self.policy(of: "http://localhost:5173")
        #expect(local.problems(in: .production).count == 1 && local.problems(in: .development) == [])
    }

    @Test func `an origin of another site than the API's gets no cookies`() throws {
        let problems = { (origin: String, url: String) throws in
            try Self.policy(of: origin).siteProblems(publicURL: PublicURL(url))
        }
        #expect(try problems("https://app.example.com", "https://api.example.com") == [])
        #expect(try problems("http://localhost:5173", "http://localhost:8080") == [])
        #expect(
            try problems("https://app.example.org", "https://api.example.com").first?.contains("not on the site of")
                == true)
        #expect(try PolicyText.parse(Self.page).siteProblems(publicURL: nil) == [])
    }

    @Test func `an origin needs the host of the API to be known`() throws {
        let unknown = try Self.policy(of: "https://app.example.com").siteProblems(publicURL: nil)
        #expect(unknown.count == 1 && unknown.first?.contains("LATCHKEY_PUBLIC_URL") == true)
        let page = Self.page.replacing("web: refreshCookie }", with: "host: api.example.com, web: refreshCookie }")
        #expect(try Self.policy(of: "https://app.example.com", page).siteProblems(publicURL: nil) == [])
        #expect(try Self.policy(of: "https://app.example.org", page).siteProblems(publicURL: nil).count == 1)
    }

    @Test func `native has no cookies where uta answers its sign-in`() {
        let both =
            Self.page.replacing(
                "web: refreshCookie }", with: "web: refreshCookie }\n  - { name: uta, profile: mobile }")
            + "passwords: {}\n"
        #expect(
            PolicyText.findings(both) == [
                "test.yaml:6: dialects[0].web: uta answers POST /auth/login on this host and sets no cookies. Set web at uta and "
                    + "none at native, or give uta a host of its own (deploy/docs/run/cookies.md)."
            ])
        #expect(PolicyText.findings(both.replacing("name: uta", with: "name: uta, host: u.example")) == [])
        #expect(PolicyText.findings(Self.dialects("name: uta, web: refreshCookie")) == [])
    }

    @Test(arguments: [
        ("https://app.example.com", "api.example.com", true), ("https://example.com", "api.example.com", true),
        ("https://app.example.com:8443", "example.com", true), ("https://app.example.co.uk", "api.example.co.uk", true),
        ("https://a.co.uk", "b.co.uk", false), ("https://app.x.ai", "api.x.ai", true),
        ("https://app.example.com", "api.example.org", false), ("https://localhost", "localhost", true),
        ("https://192.0.2.1", "192.0.2.1", true), ("https://192.0.2.1", "192.0.2.2", false),
    ])
    func `the site of a host is its domain`(_ origin: String, _ host: String, _ isSame: Bool) {
        #expect(SiteRule.isSameSite(origin: origin, host: host) == isSame)
    }

    @Test func `a page's session may be idle for another time than an app's`() throws {
        #expect(try PolicyText.parse(Self.page + "web: { idleLifetimeSeconds: 600 }\n").web.idleLifetimeSeconds == 600)
        for wrong in ["299", "7776001", "x"] {
            #expect(PolicyText.findings(Self.page + "web: { idleLifetimeSeconds: \(wrong) }\n").count == 1)
        }
        for (text, seconds) in [("{}", 120), ("{ lateTabSeconds: 0 }", 0), ("{ lateTabSeconds: 600 }", 600)] {
            #expect(try PolicyText.parse(Self.page + "web: \(text)\n").web.lateTabSeconds == Int64(seconds))
        }
        for wrong in ["-1", "601", "none", "1.5"] {
            #expect(PolicyText.findings(Self.page + "web: { lateTabSeconds: \(wrong) }\n").count == 1)
        }
        var refresh = RefreshPolicy()
        refresh.idleLifetimeSeconds = 1_000
        var web = WebPolicy()
        #expect(refresh.ofPage(web) == refresh)
        web.idleLifetimeSeconds = 600
        #expect(refresh.ofPage(web).idleLifetimeSeconds == 600)
    }
}
