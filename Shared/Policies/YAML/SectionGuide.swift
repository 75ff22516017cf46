/// The help that messages add about a section of a policy: an example, and the page that explains it.
enum SectionGuide {
    private struct Guide {
        /// The value of the section, on one line.
        let example: String
        /// A page of deploy/docs.
        let page: String
    }

    /// The example and the page of the section at a key path, after "a section".
    static func advice(_ keyPath: String) -> String {
        guard let guide = guide(keyPath) else { return " of keys and values, one on a line" }
        return ", such as \(last(keyPath)): \(guide.example) (\(guide.page))"
    }

    /// The example and the page of the section after "is missing", so they begin with a full stop.
    static func addition(_ keyPath: String) -> String {
        guide(keyPath).map { ". Add, for example, \(last(keyPath)): \($0.example) (\($0.page))." }
            ?? "\(place(keyPath))."
    }

    /// The page about a section, or about the section that contains it, in brackets.
    static func place(_ keyPath: String) -> String {
        if keyPath.isEmpty { return " (deploy/policies/howru.yaml)" }
        let top = keyPath.prefix { $0 != "." && $0 != "[" }
        return (guide(keyPath) ?? guide(String(top))).map { " (\($0.page))" } ?? ""
    }

    private static func guide(_ keyPath: String) -> Guide? {
        guides[pattern(keyPath)].map { Guide(example: $0.0, page: "deploy/docs/\($0.1)") }
    }

    /// `dialects[3].otp` has the guide of `dialects[].otp`, and `profiles.web` that of `profiles.*`.
    private static func pattern(_ keyPath: String) -> String {
        var pattern = ""
        var isIndex = false
        for character in keyPath {
            if character == "]" { isIndex = false }
            if !isIndex { pattern.append(character) }
            if character == "[" { isIndex = true }
        }
        let parts = pattern.split(separator: ".")
        return parts.first == "profiles" && parts.count == 2 ? "profiles.*" : pattern
    }

    private static func last(_ keyPath: String) -> String {
        keyPath.split(separator: ".").last.map { name in String(name.prefix { $0 != "[" }) } ?? keyPath
    }

    /// All examples by the paths of their sections, for tests.
    static let examples = guides.map { ($0.key, $0.value.0) }.sorted { $0.0 < $1.0 }

    private static let guides: [String: (String, String)] = [
        "issuer": ("my-app", "reference/policy.md"), "audience": ("my-app", "reference/policy.md"),
        "profiles": ("{ mobile: { algorithm: RS256 } }", "run/keys.md"),
        "profiles.*": ("{ algorithm: RS256 }", "run/keys.md"),
        "dialects": ("[{ name: native, profile: mobile }]", "reference/policy.md#dialects"),
        "dialects[]": ("[{ name: native, profile: mobile }]", "reference/policy.md#dialects"),
        "otp": ("{ length: 6, lifetimeSeconds: 300 }", "reference/policy.md"),
        "countries": ("{ allowed: [\"+1\", \"+49\"] }", "run/phone-numbers.md"),
        "countries.allowed": ("[\"+1\", \"+49\"]", "run/phone-numbers.md"),
        "attributes": ("[{ name: plan, type: string, setBy: operator }]", "reference/policy.md#attributes"),
        "attributes[]": ("[{ name: plan, type: string, setBy: operator }]", "reference/policy.md#attributes"),
        "deletion": ("{ graceDays: 30 }", "reference/removal.md"), "signing": ("{ leewaySeconds: 5 }", "run/keys.md"),
        "audit": ("{ retentionDays: 180 }", "run/support.md"),
        "sessions": ("{ perUserMax: 10 }", "reference/policy.md"),
        "userHook": ("{ include: [role] }", "app/events.md"),
        "messages": ("{ appName: My App }", "run/mail.md"),
        "spend": (
            "{ currency: USD, budget: { hour: 200000, day: 1000000 }, prices: [{ prefix: default, sms: 2500 }] }",
            "run/budgets.md"
        ), "email": ("{}", "run/mail.md"),
        "passwords": ("{}", "app/passwords.md"), "apple": ("{ audiences: [com.example.app] }", "app/providers.md"),
        "oidc": (
            "{ acme: { issuers: [\"https://acme.example\"], jwksURL: https://acme.example/keys, audiences: [my-app] } }",
            "app/providers.md"
        ),
        "phoneTokens": (
            "{ fpnv: { issuer: \"https://fpnv.example/1\", jwksURL: https://fpnv.example/keys, audiences: [my-app] } }",
            "app/phone-tokens.md"
        ),
        "webRedirects": ("[\"https://app.example.com/signed-in\"]", "app/web-sign-in.md"),
        "accounts": ("{ registration: open }", "run/accounts.md"), "apps": ("{ scheme: myapp }", "app/mail-links.md"),
        "edge": ("{ connectionsMax: 10000 }", "reference/edge.md"),
        "cors": ("{ origins: [\"https://app.example.com\"] }", "reference/edge.md"),
        "cookies": ("{ origins: [\"https://app.example.com\"] }", "run/cookies.md"),
        "web": ("{ idleLifetimeSeconds: 604800 }", "run/cookies.md"),
        "upstreams": ("{ app: $LATCHKEY_UPSTREAM }", "reference/edge.md"),
        "routes": ("[{ path: /api/**, upstream: app, access: bearer }]", "reference/edge.md"),
        "routes[]": ("[{ path: /api/**, upstream: app, access: bearer }]", "reference/edge.md"),
    ]
}
