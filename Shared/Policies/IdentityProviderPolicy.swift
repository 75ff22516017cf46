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
    package let name: String
    /// The `iss` claims that are accepted, compared byte by byte.
    package var issuers: [String] = []
    /// The URL at which the provider publishes its keys; `nil` for Apple's, which has a setting for tests.
    package var jwksURL: String?
    /// The `aud` claims that are accepted: the ids that the provider gave the deployment's apps.
    package var audiences: [String] = []
    package var algorithm = IdentityProviderPolicy.appleAlgorithm
    package var nonce = NonceRule.required
    /// The registration for sign-ins in a browser, or `nil` if there is none.
    package var web: WebSignInPolicy?

    /// Whether the provider's certificate may come from an authority of the operator's own, `LATCHKEY_CA_FILE`.
    package var usesOwnAuthority = false

    package init(name: String) { self.name = name }
}

extension IdentityProviderPolicy {
    private static let audienceCountMax = 16
    private static let issuerCountMax = 8

    /// Section `apple`:
    /// - `audiences` list of 1 to 16 bundle ids such as com.example.app, required
    /// - `servicesID` the id under which web pages and Android apps sign in, in a browser or by a token of their own, default none
    /// - `nonce` required, optional or ifSent, default required
    init(apple section: PolicySection) {
        self.init(name: Self.appleName)
        issuers = Self.appleIssuers
        readCommon(section)
        var servicesID: String?
        section.text("servicesID", .identifier, into: &servicesID)
        guard let servicesID else { return }
        if audiences.contains(servicesID) {
            section.refuse("servicesID", "\(servicesID) is among the audiences already; leave it out there")
        }
        audiences.append(servicesID)
        web = WebSignInPolicy(clientID: servicesID)
    }

    /// One entry of section `oidc`; its key is the name:
    /// - `issuers` list of 1 to 8 texts, exactly as the tokens have them, required
    /// - `jwksURL` https://…, with a query if need be, http for local addresses outside production, required
    /// - `audiences` list of 1 to 16 client ids, required
    /// - `algorithm` RS256, ES256 or EdDSA, default RS256
    /// - `nonce` required, optional or ifSent, default required
    /// - `ownAuthority` whether authorities of `LATCHKEY_CA_FILE` count for the provider's certificate, default false
    /// - `clientID`, `authorizeURL`, `tokenURL` for sign-ins in a browser, see `WebSignInPolicy`
    init(name: String, reading section: PolicySection) {
        self.init(name: name)
        section.requiredValues("issuers", count: 1...Self.issuerCountMax, .identifier, into: &issuers)
        if let apple = issuers.first(where: Self.appleIssuers.contains) {
            section.refuse("issuers", "\(apple) is Apple's; use the section apple")
        }
        readKeysAndRules(section)
        section.flag("ownAuthority", into: &usesOwnAuthority)
        web = WebSignInPolicy(oidc: section)
    }

    /// Reads the keys that every entry of `oidc` and `phoneTokens` has, except for the issuer.
    mutating func readKeysAndRules(_ section: PolicySection) {
        jwksURL = section.required("jwksURL")?.text(PublicURL.keysRule)?.text
        readCommon(section)
        section.text("algorithm", .oneOf(Self.algorithms), into: &algorithm)
    }

    private mutating func readCommon(_ section: PolicySection) {
        section.requiredValues("audiences", count: 1...Self.audienceCountMax, .identifier, into: &audiences)
        if Set(audiences).count != audiences.count {
            section.refuse("audiences", "contains an audience twice. Name each once.")
        }
        section.choice("nonce", into: &nonce)
    }
}

extension IdentityProviderPolicy {
    static let oidcCountMax = 8

    /// Reads section `oidc`: 1 to 8 providers by names of their own.
    static func readAll(_ section: PolicySection) -> [IdentityProviderPolicy] {
        let providers = section.named(nameRule, count: 1...oidcCountMax).compactMap { name, value in
            value.section { IdentityProviderPolicy(name: name, reading: $0) }
        }
        var known: Set<String> = []
        for provider in providers {
            for issuer in provider.issuers where !known.insert(issuer).inserted {
                // Otherwise the same person would have two accounts.
                section.refuse(
                    provider.name, item: ".issuers",
                    "\(issuer) belongs to another provider of this policy. Name each issuer once.")
            }
        }
        return providers.sorted { $0.name < $1.name }
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
