/// A provider whose identity tokens sign people in: Apple, or an OpenID Connect provider.
package struct IdentityProviderPolicy: Sendable, Equatable {
    /// Whether a token has to contain the hash of a nonce that the app sends with it.
    package enum NonceRule: String, Sendable, CaseIterable {
        /// The token and the request both have a nonce.
        case required
        /// Both have one, or neither has.
        case optional
        /// A nonce in the request must fit; a token with a nonce passes if the request has none.
        case ifSent
    }

    /// Signature algorithms by their JWS names; never one whose verifier could also sign.
    package static let algorithms = ["RS256", "ES256", "EdDSA"]
    /// The name of the provider whose rules are fixed, except for its audiences.
    package static let appleName = "apple"
    /// Apple changed the issuer of its discovery document in 2025, so tokens may contain either.
    package static let appleIssuers = ["https://appleid.apple.com", "https://account.apple.com"]
    package static let appleAlgorithm = "RS256"

    /// `apple`, or the provider's key in section `oidc`; part of the identities that are stored.
    package internal(set) var name: String
    package var issuers: [String] = []
    /// The URL at which the provider publishes its keys; `nil` for Apple's, which has a setting for tests.
    package var jwksURL: String?
    package var audiences: [String] = []
    package var algorithm = IdentityProviderPolicy.appleAlgorithm
    package var nonce = NonceRule.required
    /// The registration for sign-ins in a browser, or `nil` if there is none.
    package var web: WebSignInPolicy?

    package var usesOwnAuthority = false

    package init(name: String) { self.name = name }

    /// Apple before its section is read.
    static var appleUnread: IdentityProviderPolicy {
        var apple = IdentityProviderPolicy(name: appleName)
        apple.issuers = appleIssuers
        return apple
    }
}

extension IdentityProviderPolicy {
    private static let audienceCountMax = 16
    private static let issuerCountMax = 8

    static let appleKeys: [Key<Self>] =
        common + [
            Key(
                "servicesID", optional: \.servicesID, .text(.identifier),
                "The id of web pages and Android apps, for tokens of their own and sign-ins in a browser.",
                example: "com.example.web")
        ]

    static let oidcKeys: [Key<Self>] =
        [
            Key(
                "issuers", \.issuers, .values(1...issuerCountMax, .identifier),
                "The `iss` claims, exactly as the tokens have them.", required: true,
                example: "[\"https://acme.example\"]")
        ] + keysAndRules + [
            Key(
                "ownAuthority", \.usesOwnAuthority, .flag,
                "Whether authorities of LATCHKEY_CA_FILE count for the provider's certificate."),
            Key(
                "clientID", optional: \.clientID, .text(.identifier),
                "The client for sign-ins in a browser. Set all three keys and the secret oidc_NAME, or none.",
                example: "my-app"),
            Key(
                "authorizeURL", optional: \.authorizeURL, .text(PublicURL.linkRule),
                "The URL at which a person signs in.", example: "https://acme.example/authorize"),
            Key(
                "tokenURL", optional: \.tokenURL, .text(PublicURL.linkRule),
                "The URL at which the provider exchanges a code for the token.", example: "https://acme.example/token"),
        ]

    /// The keys that every entry of `oidc` and `phoneTokens` has, except for the issuer.
    static let keysAndRules: [Key<Self>] =
        [
            Key(
                "jwksURL", optional: \.jwksURL, .text(PublicURL.keysRule),
                "The URL of the keys: https, with a query if need be; http for local addresses outside production.",
                required: true, example: "https://acme.example/keys")
        ] + common + [
            Key("algorithm", \.algorithm, .text(.oneOf(algorithms)), "The signature of its tokens.")
        ]

    private static let common: [Key<Self>] = [
        Key(
            "audiences", \.audiences, .values(1...audienceCountMax, .identifier),
            "The `aud` claims that are accepted: the ids of your apps.", required: true, example: "[my-app]"),
        Key(
            "nonce", \.nonce, .choice,
            "Whether the token contains the hash of the app's nonce. `required`: always; `optional`: both token and "
                + "request have one, or neither; `ifSent`: a nonce in the request must match, and a token's own is accepted "
                + "without one."),
    ]

    mutating func checkApple(_ section: PolicySection) {
        checkAudiences(section)
        guard let servicesID else { return }
        if audiences.contains(servicesID) {
            section.refuse("servicesID", "\(servicesID) is among the audiences already; leave it out there")
        }
        audiences.append(servicesID)
    }

    mutating func checkOIDC(_ section: PolicySection) {
        if let apple = issuers.first(where: Self.appleIssuers.contains) {
            section.refuse("issuers", "\(apple) is Apple's; use the section apple")
        }
        checkAudiences(section)
        checkWeb(section)
    }

    func checkAudiences(_ section: PolicySection) {
        guard Set(audiences).count != audiences.count else { return }
        section.refuse("audiences", "contains an audience twice. Name each once.")
    }
}

extension IdentityProviderPolicy {
    static let oidcCountMax = 8

    /// Requires that no issuer belongs to two providers. Otherwise the same person would have two accounts.
    static func checkAll(_ section: PolicySection, _ providers: inout [IdentityProviderPolicy]) {
        var known: Set<String> = []
        for provider in providers {
            for issuer in provider.issuers where !known.insert(issuer).inserted {
                section.refuse(
                    provider.name, item: ".issuers",
                    "\(issuer) belongs to another provider of this policy. Name each issuer once.")
            }
        }
        providers.sort { $0.name < $1.name }
    }

    /// A name is part of paths, of metrics and, before a colon, of stored identities.
    static var nameRule: TextRule {
        TextRule("a letter of a-z, then up to 31 of a-z 0-9 -, and not apple, email or phone") { text in
            text.utf8.count <= 32 && !["apple", "email", "phone"].contains(text)
                && text.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
                && text.utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
                }
        }
    }

    /// The reasons not to use the provider's URLs in `environment`.
    ///
    /// - Parameter section: the section that contains the provider.
    func problems(of section: String, in environment: DeploymentEnvironment) -> [String] {
        [("jwksURL", jwksURL), ("authorizeURL", web?.authorizeURL), ("tokenURL", web?.tokenURL)].compactMap {
            key, url in
            url.flatMap { PublicURL.ofKeys($0) }?.problem(in: environment).map { "\(section).\(name).\(key) \($0)" }
        }
    }
}

extension Policy {
    /// The providers whose identity tokens sign people in.
    package var identityProviders: [IdentityProviderPolicy] { (apple.map { [$0] } ?? []) + oidc }
}
