import AuthAPI
import Foundation
import InternalAPI
import Policies
import ServiceKit
import StrictJSON
import Synchronization
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Sign-in in a browser at the gateway: which paths there are, from which hosts, and what is passed on.
@Suite struct WebSignInDialectTests {
    private static let providers = """
        apple: { audiences: [c], servicesID: w }
        oidc: { acme: { issuers: [i], jwksURL: https://g.example/k, audiences: [x], clientID: x, \
        authorizeURL: https://g.example/a, tokenURL: https://g.example/t } }
        """

    private static func policy(
        _ more: String = "webRedirects: [\"com.example.app:/in\"]", dialects: String = "{ name: native, profile: p }"
    ) throws -> Policy {
        try Policy.parse(
            """
            issuer: a
            audience: b
            profiles: { p: { algorithm: EdDSA } }
            dialects: [\(dialects)]
            countries: { allowed: all }
            publicURL: https://auth.example.com:8443/sign
            \(more.isEmpty ? "apple: { audiences: [c], servicesID: w }" : providers + "\n" + more)
            """, file: "test.yaml")
    }

    private static func native(_ policy: Policy) throws -> NativeDialect {
        try #require(SpokenDialect.all(of: policy, texts: .english).compactMap { $0.dialect as? NativeDialect }.first)
    }

    @Test func `each provider has three paths, and none without an address of the app`() throws {
        let paths = { (policy: Policy) in
            PathListing(of: policy).paths.filter {
                $0.path.hasPrefix("/auth/apple/") || $0.path.hasPrefix("/auth/oidc/acme/")
            }
            .map { "\($0.method) \($0.path)" }
        }
        #expect(try paths(Self.policy("")) == [])
        #expect(
            try paths(Self.policy()) == [
                "GET /auth/apple/authorize", "POST /auth/apple/callback", "POST /auth/apple/verify",
                "GET /auth/oidc/acme/authorize", "GET /auth/oidc/acme/callback", "POST /auth/oidc/acme/verify",
            ])
    }

    @Test func `only the app's own request counts cookies`() throws {
        for row in try Self.native(try Self.policy()).webSignInRows {
            #expect(row.ignoresCookies == !row.pattern.text.hasSuffix("/verify"), "\(row.pattern.text)")
            #expect(row.access == .open && row.refusesAsHost)
        }
    }

    @Test(arguments: [
        ("auth.example.com", "https://auth.example.com:8443/sign/auth/apple/callback"),
        ("AUTH.example.com:1", "https://auth.example.com:8443/sign/auth/apple/callback"),
        ("api.example.com", "https://api.example.com:8443/auth/apple/callback"), ("evil.example", nil),
        ("auth.example.com.evil.example", nil), ("127.0.0.1", nil),
    ])
    func `the provider returns to a host of this deployment, whatever the request says`(
        _ host: String, _ url: String?
    )
        async throws
    {
        let policy = try Self.policy(dialects: "{ name: native, profile: p, host: api.example.com }")
        let services = BrowserServices()
        let head = try HeadParsing.head(
            "GET /auth/apple/authorize?challenge=c&redirect=com.example.app:%2Fin HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        let native = try Self.native(policy)
        let apple = try #require(policy.apple)
        let answer = { try await native.begin(at: apple, services.request(head), services.signIn) }
        guard let url else {
            await #expect(throws: Refusal.invalid(member: "Host")) { _ = try await answer() }
            #expect(services.asked == [])
            return
        }
        let reply = try await answer()
        #expect(reply.status == 303 && reply.body.isEmpty)
        let headers = Dictionary(uniqueKeysWithValues: reply.headers.map { ($0.0, $0.1) })
        #expect(
            headers == [
                "Location": "https://p.example/?a=b", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
            ])
        #expect(services.asked == ["begin apple c com.example.app:/in \(url)"])
    }

    @Test(arguments: [
        ("", Refusal.invalidBody(.missing(member: "challenge"))),
        ("?challenge=c", .invalidBody(.missing(member: "redirect"))),
        ("?redirect=r&challenge=", .invalidBody(.missing(member: "challenge"))),
        ("?challenge=c&redirect=r&redirect=s", .invalidMember), ("?challenge=c&redirect=%FF", .invalidMember),
    ])
    func `a request that can be read in two ways is refused`(_ query: String, _ refusal: Refusal) async throws {
        let policy = try Self.policy()
        let services = BrowserServices()
        let head = try HeadParsing.head(
            "GET /auth/apple/authorize\(query) HTTP/1.1\r\nHost: auth.example.com\r\n\r\n")
        let native = try Self.native(policy)
        let apple = try #require(policy.apple)
        await #expect(throws: refusal) { try await native.begin(at: apple, services.request(head), services.signIn) }
        #expect(services.asked == [])
    }

    @Test func `Apple posts a form, the others send the browser with a query, and a look changes nothing`()
        async throws
    {
        let policy = try Self.policy()
        let native = try Self.native(policy)
        let (apple, acme) = (try #require(policy.apple), try #require(policy.oidc.first))
        let services = BrowserServices()
        func head(_ line: String, _ fields: String = "") throws -> RequestHead {
            try HeadParsing.head("\(line) HTTP/1.1\r\nHost: auth.example.com\r\n\(fields)Content-Length: 0\r\n\r\n")
        }
        let form = "Content-Type: application/x-www-form-urlencoded\r\nOrigin: https://appleid.apple.com\r\n"
        let post = try head("POST /auth/apple/callback", form)
        let body = "state=s&code=c&id_token=t&user=%7B%7D&iss=i&unknown=1"
        _ = try await native.finish(at: apple, services.request(post, body), services.signIn)
        // A token in a query is not Apple's way.
        let get = try head("GET /auth/oidc/acme/callback?state=s&code=c&id_token=t&user=u&error=e")
        _ = try await native.finish(at: acme, services.request(get), services.signIn)
        let base = "https://auth.example.com:8443/sign/auth"
        #expect(
            services.asked == [
                "finish apple \(base)/apple/callback s c t - i {}",
                "finish acme \(base)/oidc/acme/callback s c - e - -",
            ])
        await #expect(throws: Refusal.methodNotAllowed(["GET"])) {
            try await native.finish(
                at: acme, services.request(try head("HEAD /auth/oidc/acme/callback?state=s&code=c")), services.signIn)
        }
        await #expect(throws: Refusal.invalid(member: "Content-Type")) {
            try await native.finish(
                at: apple, services.request(try head("POST /auth/apple/callback"), "state=s"), services.signIn)
        }
        #expect(services.asked.count == 2)
    }

    /// Brings a provider's answer to the callback, after which the browser is to go to `location`.
    private func finish(
        at provider: (Policy) -> IdentityProviderPolicy?, to location: String, language: String = "en"
    ) async throws -> Reply {
        let policy = try Self.policy()
        let provider = try #require(provider(policy))
        let services = BrowserServices(finish: WebSignInAnswer(.redirected, location: location))
        let form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n"
        let head = try HeadParsing.head(
            (provider.name == "apple" ? "POST" : "GET") + " \(provider.callbackPath)?state=s&code=c HTTP/1.1\r\n"
                + "Host: auth.example.com\r\nAccept-Language: \(language)\r\n\(form)\r\n")
        return try await Self.native(policy).finish(at: provider, services.request(head), services.signIn)
    }

    @Test(arguments: [
        "com.example.app:/in?code=c", "com.example.app:/in?error=access_denied", "com.example.app://in/?a=b&code=c",
        "http://127.0.0.1:3000/in?code=c",
    ])
    func `to an address without https leads a page with a button, and no script`(_ location: String) async throws {
        let reply = try await finish(at: \.oidc.first, to: location)
        let html = String(decoding: reply.body, as: UTF8.self)
        let headers = Dictionary(uniqueKeysWithValues: reply.headers.map { ($0.0, $0.1) })
        #expect(reply.status == 200 && headers["Location"] == nil && headers["Refresh"] == nil)
        #expect(html.contains("<a href=\"\(location.escapedForHTML)\" class=\"button\" rel=\"noreferrer\">Open "))
        #expect(html.contains("addresses with \(location.prefix { $0 != ":" }): and"))
        #expect(!html.lowercased().contains("<script") && !html.lowercased().contains("http-equiv"))
        #expect(headers["Cache-Control"] == "no-store" && headers["Referrer-Policy"] == "strict-origin")
        let policy = try #require(headers["Content-Security-Policy"])
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-") && policy.contains("frame-ancestors 'none'"))
        #expect(policy.contains("form-action 'none'") && !policy.contains("script-src"))
    }

    @Test func `the page has the browser's language, and its texts are escaped`() async throws {
        let catalog = MessageCatalog(
            fallback: "en", byLocale: ["en": MessageTexts.english, "xx": Self.texts("<b>{scheme}</b> {app}")])
        let page = AppReturnPage(appName: "A & <i>B</i>", catalog: catalog)
        let html = { (languages: [String]) in
            String(decoding: page.reply(to: "com.x:/in?a='\"><script>&code=c", locales: languages).body, as: UTF8.self)
        }
        #expect(html(["xx"]).contains("<p>&lt;b&gt;com.x&lt;/b&gt; A &amp; &lt;i&gt;B&lt;/i&gt;</p>"))
        #expect(html(["xx"]).contains("href=\"com.x:/in?a=&#39;&quot;&gt;&lt;script&gt;&amp;code=c\""))
        #expect(html(["de"]).contains("<html lang=\"en\" dir=\"ltr\">"))
    }

    private static func texts(_ advice: String) -> MessageTexts {
        var texts = MessageTexts.english
        texts.page.returnAdvice = advice
        return texts
    }

    @Test func `https addresses, and Apple's with any, are redirections`() async throws {
        let https = try await finish(at: \.oidc.first, to: "https://app.example.com/in?code=c")
        let apple = try await finish(at: \.apple, to: "com.example.app:/in?code=c")
        for (reply, location) in [(https, "https://app.example.com/in?code=c"), (apple, "com.example.app:/in?code=c")] {
            #expect(reply.status == 303 && reply.body.isEmpty)
            #expect(reply.headers.contains { $0.0 == "Location" && $0.1 == location })
        }
    }

    @Test func `a refused answer is 400 in every dialect, and no page is told why`() async throws {
        let policy = try Self.policy()
        let services = BrowserServices(finish: WebSignInAnswer(.refused))
        let head = try HeadParsing.head(
            "GET /auth/oidc/acme/callback?state=s&code=c HTTP/1.1\r\nHost: auth.example.com\r\n\r\n")
        let native = try Self.native(policy)
        let acme = try #require(policy.oidc.first)
        await #expect(throws: Refusal.invalidSignIn) {
            try await native.finish(at: acme, services.request(head), services.signIn)
        }
        for dialect in [NativeDialect(), AarokyaDialect(), VoltyksDialect(), GremlinDialect(), UtaDialect()]
            as [any GatewayCore.Dialect]
        {
            let reply = dialect.reply(to: .invalidSignIn)
            #expect(reply.status == 400)
            #expect(String(decoding: reply.body, as: UTF8.self).lowercased().contains("\"invalid_sign_in\""))
        }
    }

    @Test func `verify answers as the provider's path does, with the app's name for the user before the provider's`()
        async throws
    {
        let policy = try Self.policy()
        let native = try Self.native(policy)
        let apple = try #require(policy.apple)
        let head = try HeadParsing.head("POST /auth/apple/verify HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n")
        let services = BrowserServices()
        let reply = try await native.verify(
            at: apple, services.request(head, #"{"code":"c","verifier":"v"}"#), services.signIn)
        #expect(try JSONDecoder().decode(SignInReply.self, from: Data(reply.body)).isNewUser)
        _ = try await native.verify(
            at: apple, services.request(head, #"{"code":"c","verifier":"v","fullName":"B. Smith"}"#), services.signIn)
        #expect(
            services.asked == [
                "redeem apple c v", "resolve sealed Betty", "issue", "redeem apple c v", "resolve sealed B. Smith",
                "issue",
            ])
        let wrong = BrowserServices(redeem: IdentityTokenAnswer(.refused))
        await #expect(throws: Refusal.wrongCode) {
            try await native.verify(
                at: apple, wrong.request(head, #"{"code":"c","verifier":"v"}"#), wrong.signIn)
        }
        for body in [#"{"code":"c"}"#, #"{"verifier":"v"}"#, "[]"] {
            await #expect(throws: Refusal.self) {
                try await native.verify(at: apple, services.request(head, body), services.signIn)
            }
        }
    }
}

/// user- and token-service as the gateway sees them, and what they were asked in turn.
private final class BrowserServices: InternalTransport {
    private let state = Mutex<[String]>([])
    private let finish: WebSignInAnswer
    private let redeem: IdentityTokenAnswer

    init(
        finish: WebSignInAnswer = WebSignInAnswer(.redirected, location: "com.example.app:/in?code=c"),
        redeem: IdentityTokenAnswer = IdentityTokenAnswer(.proved, proof: "sealed", name: "Betty")
    ) {
        (self.finish, self.redeem) = (finish, redeem)
    }

    var asked: [String] { state.withLock { $0 } }

    var signIn: SignInInBrowser {
        func client(_ name: String) -> ServiceClient { ServiceClient(service: name, transport: self) }
        return SignInInBrowser(
            user: client("user"),
            open: OpenSession(
                services: BackendServices(otp: client("otp"), token: client("token"), user: client("user"))))
    }

    func request(_ head: RequestHead, _ body: String = "") -> ClientRequest {
        ClientRequest(EndpointRequest(head: head, body: Array(body.utf8), requestID: "r", clientAddress: "::1"))
    }

    func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
        do { return try answer(request) } catch { throw ServiceUnavailable(service: "test", reason: "\(error)") }
    }

    private func answer(_ request: InternalRequest) throws -> InternalResponse {
        func body<Body: Decodable>(_ type: Body.Type) throws -> Body {
            try StrictJSON.decode(type, from: request.body, limits: .own)
        }
        switch request.path {
        case IdentityOperations.begin.path:
            let asked = try body(WebSignInStart.self)
            note("begin \(asked.provider) \(asked.challenge) \(asked.redirect) \(asked.callbackURL)")
            return try Self.answer(WebSignInAnswer(.redirected, location: "https://p.example/?a=b"))
        case IdentityOperations.finish.path:
            let asked = try body(WebSignInReturn.self)
            let parts = [asked.code, asked.identityToken, asked.error, asked.issuer, asked.person].map { $0 ?? "-" }
            note("finish \(asked.provider) \(asked.callbackURL) \(asked.state) \(parts.joined(separator: " "))")
            return try Self.answer(finish)
        case IdentityOperations.redeem.path:
            let asked = try body(SignInCodeRequest.self)
            note("redeem \(asked.provider) \(asked.code) \(asked.verifier)")
            return try Self.answer(redeem)
        case UserOperations.resolve.path:
            let asked = try body(ResolveRequest.self)
            note("resolve \(asked.attestation) \(asked.name ?? "-")")
            return try Self.answer(
                ResolveAnswer(
                    grant: "g", isNewUser: true, restored: false,
                    user: UserDetails(
                        id: "u1", phoneNumber: nil, name: nil, role: "user", createdAt: 1, attributes: UserAttributes())
                ))
        default:
            note("issue")
            return try Self.answer(
                TokenSet(
                    accessToken: "a.b.c", refreshToken: "r", accessExpiresAt: 1, refreshExpiresAt: 1, expiresIn: 1,
                    sessionID: "s", userID: "u1"))
        }
    }

    private func note(_ text: String) { state.withLock { $0.append(text) } }

    private static func answer(_ body: some Encodable) throws -> InternalResponse {
        InternalResponse(status: 200, body: try StrictJSON.encode(body))
    }
}
