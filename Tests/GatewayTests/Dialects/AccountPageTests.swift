import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore
@testable import Policies

// Cited by Tests/Compat/statements.md for T53.

/// The page behind links of mails about accounts.
@Suite struct AccountPageTests {
    private static let token = String(repeating: "aB3-_xyz", count: 5) + "aBE"

    private static func page(_ act: AccountPage.Act) -> AccountPage {
        AccountPage(act: act, appName: "A&B <i>", catalog: .english)
    }

    private static func text(_ reply: Reply) -> String { String(decoding: reply.body, as: UTF8.self) }

    private static func header(_ name: String, _ reply: Reply) -> String? {
        reply.headers.first { $0.0 == name }?.1
    }

    @Test(arguments: [(AccountPage.Act.confirm, "verify-email"), (.reset, "reset-password")])
    func `a link's page asks for the password, and its form goes back to its own path`(
        act: AccountPage.Act, path: String
    ) {
        let reply = Self.page(act).reply(query: "token=\(Self.token)", locales: [])
        let html = Self.text(reply)
        #expect(reply.status == 200)
        #expect(html.contains("<form method=\"post\" action=\"\(path)\">"))
        #expect(html.contains("<input type=\"hidden\" name=\"token\" value=\"\(Self.token)\">"))
        #expect(html.contains("type=\"password\" name=\"password\"") && html.contains("A&amp;B &lt;i&gt;"))
        #expect(!html.contains("<script") && !html.contains("http"))
        let policy = Self.header("Content-Security-Policy", reply) ?? ""
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-") && policy.contains("form-action 'self'"))
        #expect(policy.contains("frame-ancestors 'none'") && !policy.contains("script-src"))
        #expect(Self.header("Cache-Control", reply) == "no-store")
        #expect(Self.header("Referrer-Policy", reply) == "strict-origin")
    }

    @Test(
        arguments: [
            nil, "", "token=", "token=short", "token=\(token)\"><script>",
            "token=\(String(repeating: "A", count: 129))",
            "TOKEN=\(token)", "token=\(token)&token=\(token)A", "token=\(token)%zz", "xtoken=\(token)",
            "token=\(token)%2Fx", "token=\(token)%00",
        ] as [String?])
    func `what can be no link of ours gets no form`(query: String?) {
        for act in AccountPage.Act.allCases {
            let reply = Self.page(act).reply(query: query, locales: [])
            #expect(reply.status == 400)
            #expect(!Self.text(reply).contains("<form") && !Self.text(reply).contains("<script"))
        }
    }

    @Test(arguments: [
        "token=\(token)&x=1", "x=1&token=\(token)", "utm_source=x&token=\(token)&utm_medium=mail", "token=\(token).",
        "token=\(token)%20", "token=\(token)+", "token=%20\(token)", "token=\(token)%22", "token=\(token)=",
        "token=\(token)%3E", "token=\(token)%E2%80%8B", "token=\(token),", "token=\(token)&amp;utm_source=x",
        "token=\(token)&token=\(token)", "&token=\(token)&",
    ])
    func `what mail programs and trackers add around the token is ignored`(query: String) {
        for act in AccountPage.Act.allCases {
            let html = Self.text(Self.page(act).reply(query: query, locales: []))
            #expect(html.contains("name=\"token\" value=\"\(Self.token)\""))
        }
        let link = LinkPage(
            appName: "A", catalog: MessageCatalog(fallback: "en", byLocale: ["en": MessageTexts.english], scheme: "app")
        )
        #expect(Self.text(link.reply(query: query, locales: [])).contains("app://magic-link?token=\(Self.token)\""))
    }

    @Test func `a password manager finds a field for the user's name where a password is set`() throws {
        let field = "<input type=\"text\" name=\"username\" autocomplete=\"username\" hidden>"
        for act in AccountPage.Act.allCases {
            let html = Self.text(Self.page(act).reply(query: "token=\(Self.token)", locales: []))
            #expect(html.contains(field) == (act == .reset))
        }
        let known = Self.page(.reset).reply(query: "token=\(Self.token)", address: "\"><b>@x.io", locales: [])
        #expect(
            Self.text(known).contains("name=\"username\" value=\"&quot;&gt;&lt;b&gt;@x.io\" autocomplete=\"username\""))
        let link = try Self.page(.reset).link(Array("token=\(Self.token)&username=ann%40x.io&password=p".utf8))
        #expect(link.token == Self.token && link.password == "p")
    }

    @Test func `only another password is asked for again`() {
        let all: [Refusal] = [
            .wrongPassword, .weakPassword, .invalidLink, .tooMany(retryAfterSeconds: 9), .unavailable,
            .changePending(retryAfterSeconds: 5), .invalidBody(.unfit), .violation(.bodyTooLarge), .invalidMember,
        ]
        for refusal in all {
            let reply = Self.page(.reset).reply(to: refusal, token: Self.token, locales: [])
            #expect(reply.status == RefusalWords(refusal).status)
            #expect(Self.text(reply).contains("<form") == (refusal == .wrongPassword || refusal == .weakPassword))
            #expect(![429, 503].contains(reply.status) || Self.header("Retry-After", reply) != nil)
        }
    }

    @Test func `a token that cannot be ours is on no page`() {
        let token = "\"><script>alert(1)</script>"
        let reply = Self.page(.confirm).reply(to: .wrongPassword, token: token, locales: [])
        #expect(!Self.text(reply).contains("<script") && !Self.text(reply).contains("<form"))
    }

    @Test func `a form is read to the letter`() throws {
        let body = Array("token=\(Self.token)&password=a%2Bb+%C3%A9%26".utf8)
        for act in AccountPage.Act.allCases {
            let link = try Self.page(act).link(body)
            #expect(link.token == Self.token && link.password == "a+b é&")
        }
    }

    @Test(arguments: [
        "", "token=t", "password=p", "token=&password=p", "token=t&password=", "token=t&password=p&role=admin",
        "token=t&token=u&password=p", "token=t&password=p&password=q", "token=t&%74oken=u&password=p",
        "token=t&password=%zz", "token=t&password=%00", "token=t&password=%0d%0a", "token=t&password=%ff",
        "token=t;password=p", "token=t&password=p&", "{\"token\":\"t\",\"password\":\"p\"}",
        "token[]=t&password=p", "token=t&password=é",
    ])
    func `doubled, foreign or broken fields are refused`(body: String) {
        #expect(throws: Refusal.invalidBody(.unfit)) { try Self.page(.confirm).link(Array(body.utf8)) }
        // One field, and an unknown token.
        guard !["token=t", "token=t;password=p"].contains(body) else { return }
        #expect(throws: Refusal.invalidBody(.unfit)) { try Self.page(.confirmByLink).link(Array(body.utf8)) }
    }

    @Test func `where the link suffices the page is one button that says what it does`() throws {
        let page = Self.page(.confirmByLink)
        let html = Self.text(page.reply(query: "token=\(Self.token)", locales: []))
        #expect(html.contains("<form method=\"post\" action=\"verify-email\">"))
        #expect(html.contains("name=\"token\" value=\"\(Self.token)\"") && html.contains("<button>"))
        #expect(
            !html.contains("type=\"password\"") && html.contains("the person who chose the password can sign in to it"))
        let link = try page.link(Array("token=\(Self.token)".utf8))
        #expect(link.token == Self.token && link.password == nil)
        // Where it does not suffice after all; nothing was typed, so nothing was wrong.
        let asked = Self.text(page.reply(to: .wrongPassword, token: Self.token, hadPassword: false, locales: []))
        #expect(asked.contains("type=\"password\"") && !asked.contains("role=\"alert\""))
    }

    @Test func `a link that needs the password has the form at once, at uta's host too`() {
        let token = String(Self.token.dropLast()) + "A"
        let html = Self.text(Self.page(.confirmByLink).reply(query: "token=\(token)", locales: []))
        #expect(html.contains("type=\"password\"") && !html.contains("role=\"alert\""))
        #expect(html.contains("name=\"token\" value=\"\(token)\""))
    }

    @Test func `a form that is too long is not read`() {
        let body = Array("token=t&password=".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 4_096)
        #expect(throws: Refusal.violation(.bodyTooLarge)) { try Self.page(.reset).link(body) }
    }

    @Test func `without the policy's section the paths are nobody's`() throws {
        let without = NativeDialect().rows.map(\.pattern.text)
        var dialect = NativeDialect()
        dialect.passwords = NativePasswords(appName: "A", texts: .english)
        let own = Set(dialect.rows.map { "\($0.method.rawValue) \($0.pattern.text)" })
            .subtracting(NativeDialect().rows.map { "\($0.method.rawValue) \($0.pattern.text)" })
        #expect(
            own == [
                "POST /auth/register", "POST /auth/login", "POST /auth/verify-email/resend",
                "POST /auth/forgot-password", "GET /auth/verify-email", "POST /auth/verify-email",
                "GET /auth/reset-password", "POST /auth/reset-password", "POST /auth/change-password",
                "DELETE /auth/account", "GET /.well-known/change-password", "POST /users/me/password",
                "DELETE /users/me/password",
            ])
        #expect(!without.contains("/auth/login"))
        let bearer = dialect.rows.filter { $0.access == .bearer }.map(\.pattern.text)
        #expect(bearer.contains("/auth/change-password") && bearer.contains("/auth/account"))
    }

    @Test func `apps may open both links`() {
        let file = AppleAppSiteAssociation(
            appIDs: ["A.b"], paths: ["\(AccountLinks.confirmPath)", "\(AccountLinks.resetPath)"])
        #expect(file.applinks.details[0].components.map(\.path) == ["/auth/verify-email", "/auth/reset-password"])
        #expect(file.applinks.details[0].components.allSatisfy { $0.query == ["token": "*"] })
    }
}
