import Policies
import Testing

@Suite struct IdentityProviderPolicyTests {
    private static let google = """
        oidc:
          google:
            issuers: [https://accounts.google.com, accounts.google.com]
            jwksURL: https://www.googleapis.com/oauth2/v3/certs
            audiences: [app-1]

        """

    private func provider(_ section: String) throws -> IdentityProviderPolicy {
        try #require(try PolicyText.parse(PolicyText.minimal + section).identityProviders.first)
    }

    @Test func `without sections no token signs in`() throws {
        #expect(try PolicyText.parse(PolicyText.minimal).identityProviders.isEmpty)
        #expect(try PolicyText.parse(PolicyText.minimal + "apple: none\noidc: none\n").identityProviders.isEmpty)
    }

    @Test func `Apple has both issuers, RS256 and a nonce unless the policy says otherwise`() throws {
        let apple = try provider("apple: { audiences: [com.example.app] }\n")
        #expect(apple.name == "apple" && apple.issuers == ["https://appleid.apple.com", "https://account.apple.com"])
        #expect(apple.algorithm == "RS256" && apple.nonce == .required && apple.jwksURL == nil)
        let web = try provider("apple: { audiences: [com.example.app], servicesID: com.example.web, nonce: ifSent }\n")
        #expect(web.audiences == ["com.example.app", "com.example.web"] && web.nonce == .ifSent)
    }

    @Test func `a provider has what its entry says, and the others by name`() throws {
        let google = try provider(Self.google)
        #expect(google.name == "google" && google.issuers == ["https://accounts.google.com", "accounts.google.com"])
        #expect(google.jwksURL == "https://www.googleapis.com/oauth2/v3/certs" && google.audiences == ["app-1"])
        #expect(google.algorithm == "RS256" && google.nonce == .required)
        let more =
            "  a: { issuers: [i], jwksURL: https://a.example/k, audiences: [x], algorithm: ES256, nonce: optional }\n"
        let policy = try PolicyText.parse(PolicyText.minimal + Self.google + more + "apple: { audiences: [b] }\n")
        #expect(policy.identityProviders.map(\.name) == ["apple", "a", "google"])
        #expect(policy.oidc.first?.algorithm == "ES256" && policy.oidc.first?.nonce == .optional)
    }

    @Test func `own authorities count for a provider only by its entry, and never for Apple`() throws {
        #expect(try provider(Self.google).usesOwnAuthority == false)
        #expect(try provider(Self.google + "    ownAuthority: true\n").usesOwnAuthority)
        #expect(
            PolicyText.findings(PolicyText.minimal + "apple: { audiences: [a], ownAuthority: true }\n").first?
                .contains("apple.ownAuthority: unknown key") == true)
    }

    @Test func `tokens alone are a way to sign in`() throws {
        let minimal = PolicyText.minimal.replacing("countries:\n  allowed: all\n", with: "otp: none\n")
        #expect(PolicyText.findings(minimal).first?.contains("oidc or phoneTokens") == true)
        #expect(PolicyText.findings(minimal + "apple: { audiences: [b] }\n") == [])
        #expect(PolicyText.findings(minimal + Self.google) == [])
    }

    @Test(arguments: [
        ("apple: {}", "apple.audiences: is missing"), ("apple: { audiences: [] }", "apple.audiences"),
        ("apple: { audiences: [\"a b\"] }", "apple.audiences[0]"),
        ("apple: { audiences: [a, a] }", "apple.audiences: contains an audience twice"),
        ("apple: { audiences: [a], servicesID: a }", "apple.servicesID"),
        ("apple: { audiences: [a], nonce: never }", "apple.nonce"),
        ("apple: { audiences: [a], issuers: [b] }", "apple.issuers: unknown key"),
        ("apple: { audiences: [a], algorithm: none }", "apple.algorithm: unknown key"),
        ("oidc: {}", "oidc"), ("oidc: { apple: {} }", "oidc.apple: this name is not allowed"),
        ("oidc: { Google: {} }", "oidc.Google: this name is not allowed"),
        ("oidc: { \"a:b\": {} }", "this name is not allowed"),
    ])
    func `what cannot be is refused by name`(_ line: String, _ message: String) {
        let findings = PolicyText.findings(PolicyText.minimal + line + "\n")
        #expect(findings.contains { $0.contains(message) }, "\(findings)")
    }

    @Test(arguments: [
        ("issuers: [i]", "issuers: []", "oidc.p.issuers"), ("issuers: [i]", "issuers: i", "oidc.p.issuers"),
        (
            "issuers: [i]", "issuers: [https://account.apple.com]",
            "oidc.p.issuers: https://account.apple.com is Apple's"
        ),
        ("jwksURL: https://p.example/keys", "jwksURL: p.example/keys", "oidc.p.jwksURL"),
        ("jwksURL: https://p.example/keys", "jwksURL: 'https://p.example/keys#a'", "oidc.p.jwksURL"),
        ("jwksURL: https://p.example/keys, ", "", "oidc.p.jwksURL: is missing"),
        ("audiences: [a]", "audiences: []", "oidc.p.audiences"),
        ("audiences: [a]", "audiences: [a], algorithm: HS256", "oidc.p.algorithm"),
        ("audiences: [a]", "audiences: [a], algorithm: none", "oidc.p.algorithm"),
        ("audiences: [a]", "audiences: [a], discovery: true", "oidc.p.discovery: unknown key"),
    ])
    func `an entry with a fault is refused by its key`(_ old: String, _ new: String, _ message: String) {
        let entry = "oidc: { p: { issuers: [i], jwksURL: https://p.example/keys, audiences: [a] } }\n"
        #expect(PolicyText.findings(PolicyText.minimal + entry) == [])
        let findings = PolicyText.findings(PolicyText.minimal + entry.replacing(old, with: new))
        #expect(findings.count == 1 && findings.first?.contains(message) == true, "\(findings)")
    }

    @Test(arguments: [
        "https://p.example/keys?appid=11111111-1111-1111-1111-111111111111", "https://p.example?a",
        "https://p.example/k?",
        "https://p.example:8443/a%2Fb/k@svc?x=1&y=a:b/c", "https://[2001:db8::1]:8443/k?a", "https://192.0.2.1/k",
        "https://idp_1.p-q.example/k", "http://localhost:65535/k", "http://[::1]/k",
    ])
    func `keys may be at an address with a port and a query`(_ url: String) throws {
        let entry = "oidc: { p: { issuers: [i], jwksURL: \"\(url)\", audiences: [a] } }\n"
        let policy = try PolicyText.parse(PolicyText.minimal + entry)
        #expect(policy.oidc.first?.jwksURL == url)
        #expect(policy.problems(in: .development) == [])
    }

    static let wrongURLs = [
        "", "/keys", "//p.example/k", "p.example/k", "ftp://p.example/k", "HTTPS://p.example/k", "https:p.example",
        "https://",
        "https:///k", "https://?a", "https://:443/k", "https://[::1", "https://[::1/k", "https://[]/k",
        "https://[::1]x/k",
        "https://[::g]/k", "https://[1.2.3.4]/k", "https://[fe80::1%25eth0]/k", "https://[p.example]/k",
        "https://::1/k",
        "https://p.example]/k", "https://p.example:/k", "https://p.example:0/k", "https://p.example:00/k",
        "https://p.example:65536/k", "https://p.example:99999999999999999999/k", "https://p.example:-1/k",
        "https://p.example:+1/k", "https://p.example:8x/k", "https://p.example:80:80/k", "https://[::1]:0/k",
        "https://p..example/k", "https://.example/k", "https://p.example./k", "https://-p.example/k", "https://p-/k",
        "https://\(String(repeating: "a", count: 64)).example/k", "https://256.1.1.1/k", "https://1.2.3/k",
        "https://1/k",
        "https://0x7f000001/k", "https://127.0.0.01/k", "https://p%2eexample/k", "https://a@p.example/k",
        "https://a:b@p.example/k", "https://p.example/k#f", "https://p.example/a b", "https://p.example/%",
        "https://p.example/%4",
        "https://p.example/%zz", "https://p.example/k?a=%", "https://p.example/[k]", "https://p.example\\k",
        "https://p.ex\u{E4}mple/k",
        "https://p.example/\(String(repeating: "k", count: 256))",
    ]

    @Test(arguments: wrongURLs)
    func `an address that is none is refused`(_ url: String) {
        #expect(PublicURL.ofKeys(url) == nil)
        #expect(PublicURL(url) == nil)
    }

    @Test(arguments: ["https://[::1", "https://p.example:0/k", "https://a@p.example/k"])
    func `the policy names the key of a wrong address`(_ url: String) {
        for (section, list) in [("oidc", "issuers: [i]"), ("phoneTokens", "issuer: i")] {
            let entry = "\(section): { p: { \(list), jwksURL: \"\(url)\", audiences: [a] } }\n"
            let findings = PolicyText.findings(PolicyText.minimal + entry)
            #expect(findings.count == 1 && findings.first?.contains("\(section).p.jwksURL") == true, "\(findings)")
        }
    }

    @Test func `eight providers at most, and each issuer once`() {
        func entries(_ count: Int, issuer: (Int) -> String) -> String {
            PolicyText.minimal + "oidc:\n"
                + (0..<count).map {
                    "  p\($0): { issuers: [\(issuer($0))], jwksURL: https://p.example/keys, audiences: [a] }\n"
                }.joined()
        }
        #expect(PolicyText.findings(entries(8) { "i\($0)" }) == [])
        #expect(PolicyText.findings(entries(9) { "i\($0)" }).first?.contains("9 entries") == true)
        #expect(PolicyText.findings(entries(2) { _ in "i" }).first?.contains("another provider of this policy") == true)
    }

    @Test func `howru has Apple as its document prints the app, and the examples have what their providers publish`()
        throws
    {
        let folder = PolicyText.policiesDirectory()
        let howru = try Policy.load(named: "howru", directory: folder)
        #expect(howru.apple?.audiences == ["com.howru"] && howru.apple?.nonce == .optional && howru.oidc.isEmpty)
        for (name, issuer) in [
            ("google", "https://accounts.google.com"),
            ("microsoft", "https://login.microsoftonline.com/00000000-0000-0000-0000-000000000000/v2.0"),
        ] {
            let policy = try Policy.load(named: "\(folder)/examples/\(name).yaml", directory: folder)
            let provider = try #require(policy.identityProviders.first)
            #expect(provider.name == name && provider.issuers.first == issuer)
            #expect(provider.algorithm == "RS256" && provider.nonce == .ifSent)
            #expect(policy.problems(in: .production) == [])
        }
    }

    @Test func `keys over http are for local addresses outside production`() throws {
        let local = try PolicyText.parse(
            PolicyText.minimal + "oidc: { p: { issuers: [i], jwksURL: http://127.0.0.1:8026/keys, audiences: [a] } }\n")
        #expect(local.problems(in: .development) == [])
        #expect(local.problems(in: .production).contains { $0.contains("oidc.p.jwksURL") })
        let far = try PolicyText.parse(
            PolicyText.minimal + "oidc: { p: { issuers: [i], jwksURL: http://p.example/keys, audiences: [a] } }\n")
        #expect(far.problems(in: .development).contains { $0.contains("oidc.p.jwksURL") })
    }

    // MARK: - Sign-in in a browser

    private static let web = """
        webRedirects: ["https://app.example.com/in"]
        oidc: { p: { issuers: [i], jwksURL: https://p.example/k, audiences: [a], clientID: w, authorizeURL: https://p.example/a, \
        tokenURL: https://p.example/t } }

        """

    @Test func `private schemes are named in production, and need a text in each language`() throws {
        let text = PolicyText.minimal + Self.web.replacing("https://app.example.com/in", with: "com.example.app:/in")
        let policy = try PolicyText.parse(text)
        #expect(policy.returnsByPage && policy.problems(in: .production) == [])
        let cautions = policy.cautions(in: .production).filter { $0.contains("webRedirects com.example.app:/in") }
        #expect(cautions.count == 1 && cautions[0].contains("private scheme"), "\(cautions)")
        #expect(policy.cautions(in: .development) == [])
        let web = try PolicyText.parse(PolicyText.minimal + Self.web)
        #expect(!web.returnsByPage && !web.cautions(in: .production).contains { $0.contains("webRedirects") })
        let loopback = try PolicyText.parse(
            PolicyText.minimal + Self.web.replacing("https://app.example.com/in", with: "http://127.0.0.1:3000/in"))
        #expect(loopback.returnsByPage && loopback.privateRedirects == [])
        let apple = try PolicyText.parse(
            PolicyText.minimal + "webRedirects: [\"com.example.app:/in\"]\napple: { audiences: [a], servicesID: b }\n")
        #expect(!apple.returnsByPage && apple.privateRedirects == ["com.example.app:/in"])
    }

    @Test func `a provider signs people in in a browser by its registration, to the policy's addresses`() throws {
        let policy = try PolicyText.parse(PolicyText.minimal + Self.web)
        #expect(policy.webRedirects == ["https://app.example.com/in"] && policy.webProviders.map(\.name) == ["p"])
        #expect(
            policy.webProviders.first?.web
                == WebSignInPolicy(clientID: "w", authorizeURL: "https://p.example/a", tokenURL: "https://p.example/t"))
        #expect(policy.oidc.first?.audiences == ["a"])
        #expect(policy.webSignInProblem(publicURL: nil)?.contains("LATCHKEY_PUBLIC_URL") == true)
        #expect(policy.webSignInProblem(publicURL: PublicURL("https://a.example")) == nil)
        let apple = "apple: { audiences: [a], servicesID: w }\n"
        #expect(try PolicyText.parse(PolicyText.minimal + apple).webProviders.isEmpty)
        let both = try PolicyText.parse(PolicyText.minimal + apple + "webRedirects: [\"com.example.app:/in\"]\n")
        #expect(both.webProviders.map(\.path) == ["/auth/apple"])
    }

    @Test(arguments: [
        (", clientID: w", "", "oidc.p.clientID: is missing"),
        (", authorizeURL: https://p.example/a", "", "oidc.p.authorizeURL"),
        ("https://p.example/t", "p.example", "oidc.p.tokenURL"),
        ("webRedirects: [\"https://app.example.com/in\"]\n", "", "webRedirects: is missing"),
        ("[\"https://app.example.com/in\"]", "[]", "webRedirects"),
        (
            ", clientID: w, authorizeURL: https://p.example/a, tokenURL: https://p.example/t", "",
            "webRedirects: has no effect"
        ),
    ])
    func `half a registration is refused`(_ old: String, _ new: String, _ message: String) {
        let findings = PolicyText.findings(PolicyText.minimal + Self.web.replacing(old, with: new))
        #expect(findings.count == 1 && findings.first?.contains(message) == true, "\(findings)")
    }

    @Test(arguments: [
        ("https://app.example.com/in?a=b", true), ("https://app.example.com:8443", true), ("com.example.app:/in", true),
        ("com.example.app://in/now", true), ("http://localhost:3000/in", true), ("http://127.0.0.1/in", true),
        ("http://[::1]:3000/in", true), ("http://127.evil.example/in", false),
        ("http://app.example.com/in", false), ("http://192.168.1.7/in", false), ("myapp:/in", false),
        ("myapp://in", false), ("com.example.app:in", false), ("Com.example.app:/in", false), (".app:/in", false),
        ("https://app.example.com/in#a", false), ("https://user@app.example.com/in", false), ("https://", false),
        ("https://app.example.com/in?code=1", false), ("com.example.app:/in?a=b&error", false),
        ("javascript:/in", false), ("https:/app.example.com", false), ("https://app.example.com/a b", false),
        ("/in", false),
        ("*", false), ("https://app.example.com/\u{e9}", false),
    ])
    func `an address of the app is https, loopback, or has a scheme of the app's own`(_ text: String, _ isAllowed: Bool)
    {
        let redirects = Self.web.replacing("https://app.example.com/in", with: text)
        let findings = PolicyText.findings(PolicyText.minimal + redirects)
        #expect(findings.isEmpty == isAllowed && findings.allSatisfy { $0.contains("webRedirects[0]") }, "\(findings)")
    }

    @Test func `production needs https`() throws {
        let local = try PolicyText.parse(
            PolicyText.minimal
                + Self.web.replacing("https://app.example.com/in", with: "http://localhost:3000/in")
                .replacing("https://p.example/t", with: "http://127.0.0.1:8026/t"))
        #expect(local.problems(in: .development) == [])
        let problems = local.problems(in: .production)
        #expect(
            problems.contains { $0.contains("webRedirects") } && problems.contains { $0.contains("oidc.p.tokenURL") })
    }
}
