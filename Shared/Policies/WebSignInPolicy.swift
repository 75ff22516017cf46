/// A provider's registration for sign-ins in a browser, which web pages and Android apps use.
package struct WebSignInPolicy: Sendable, Equatable {
    /// The client id at the provider, which its tokens have as their audience. Apple calls it the Services ID.
    package var clientID: String
    package var authorizeURL: String?
    package var tokenURL: String?

    package init(clientID: String, authorizeURL: String? = nil, tokenURL: String? = nil) {
        self.clientID = clientID
        self.authorizeURL = authorizeURL
        self.tokenURL = tokenURL
    }
}

extension IdentityProviderPolicy {
    /// Apple's name for the client id.
    var servicesID: String? {
        get { clientID }
        set { clientID = newValue }
    }

    var clientID: String? {
        get { web?.clientID }
        set { changeWeb { $0.clientID = newValue ?? "" } }
    }

    var authorizeURL: String? {
        get { web?.authorizeURL }
        set { changeWeb { $0.authorizeURL = newValue } }
    }

    var tokenURL: String? {
        get { web?.tokenURL }
        set { changeWeb { $0.tokenURL = newValue } }
    }

    private mutating func changeWeb(_ change: (inout WebSignInPolicy) -> Void) {
        var changed = web ?? WebSignInPolicy(clientID: "")
        change(&changed)
        web = changed
    }

    /// Requires all keys of a registration for sign-ins in a browser, or none.
    mutating func checkWeb(_ section: PolicySection) {
        let keys = ["clientID", "authorizeURL", "tokenURL"]
        let missing = keys.filter { !section.has($0) }
        if let first = missing.first, missing.count < keys.count {
            section.refuse(first, "is missing. Sign-ins in a browser need clientID, authorizeURL and tokenURL.")
        }
        // A registration that was refused counts as one, so that webRedirects is not refused too.
        if missing.count < keys.count, web == nil { web = WebSignInPolicy(clientID: "") }
    }

    /// The path of sign-ins with the provider: `/auth/apple`, or `/auth/oidc/` and its name.
    package var path: String { name == Self.appleName ? "/auth/apple" : "/auth/oidc/\(name)" }
    /// The path at which the provider returns a browser.
    package var callbackPath: String { path + "/callback" }
}

extension Policy {
    /// The providers with which people sign in in a browser.
    package var webProviders: [IdentityProviderPolicy] {
        webRedirects.isEmpty ? [] : identityProviders.filter { $0.web != nil }
    }

    /// Whether a sign-in returns to the app by a page that the user has to confirm: with an OpenID Connect provider, to an address
    /// that is not https.
    package var returnsByPage: Bool {
        webProviders.contains { $0.name != IdentityProviderPolicy.appleName }
            && webRedirects.contains { !$0.hasPrefix("https://") }
    }

    /// The addresses of `webRedirects` with a private scheme, to which any app can make a browser return.
    package var privateRedirects: [String] {
        webProviders.isEmpty ? [] : webRedirects.filter { !$0.hasPrefix("https://") && !$0.hasPrefix("http://") }
    }

    /// The reason why providers could not return a browser, or `nil`.
    ///
    /// - Parameter publicURL: the policy's URL, or the one of the environment; `nil` if neither states one.
    package func webSignInProblem(publicURL: PublicURL?) -> String? {
        guard publicURL == nil, !webProviders.isEmpty else { return nil }
        return
            "\(name): webRedirects needs the URL of this deployment, to which providers return browsers. Set publicURL or "
            + "LATCHKEY_PUBLIC_URL (deploy/docs/app/web-sign-in.md)."
    }
}

extension Policy {
    static let webRedirectCountMax = 32

    /// Requires that `webRedirects` and the providers' registrations go together.
    func checkWebRedirects(_ root: PolicySection) {
        if let provider = oidc.first(where: { $0.web != nil }), !root.has("webRedirects") {
            root.refuse(
                "webRedirects",
                "is missing, so oidc.\(provider.name).clientID has no effect. Name the addresses of your app to which a sign-in "
                    + "returns (deploy/docs/app/web-sign-in.md).")
        }
        // Links in mails of the dialect supabase return there too.
        guard root.has("webRedirects"), apple?.web == nil, oidc.allSatisfy({ $0.web == nil }), !speaksSupabase else {
            return
        }
        root.refuse(
            "webRedirects",
            "has no effect, because no provider signs people in in a browser. Add apple.servicesID, or clientID, authorizeURL and "
                + "tokenURL to an entry of oidc (deploy/docs/app/web-sign-in.md).")
    }
}

extension ValueRule where Value == String {
    /// An address of the app to which a sign-in in a browser returns. Requests are compared with it byte by byte.
    static var webRedirect: TextRule {
        TextRule(
            "an address such as https://app.example.com/signed-in or com.example.app:/signed-in, whose scheme has a dot, without "
                + "# and without code or error in its query; http only for loopback"
        ) { text in
            guard (1...512).contains(text.utf8.count), text.utf8.allSatisfy(isOfURL), !hasOwnMember(text) else {
                return false
            }
            if text.hasPrefix("https://") || text.hasPrefix("http://") { return isWebAddress(text) }
            return isPrivate(text)
        }
    }

    /// Whether the byte may be in a URL without a fragment (RFC 3986 section 2).
    private static func isOfURL(_ byte: UInt8) -> Bool {
        byte.isASCIIWordByte || "-.~:/?[]@!$&'()*+,;=%".utf8.contains(byte)
    }

    /// Whether the query has one of the members that Latchkey adds.
    private static func hasOwnMember(_ text: String) -> Bool {
        guard let query = text.firstIndex(of: "?") else { return false }
        return text[text.index(after: query)...].split(separator: "&").contains {
            ["code", "error"].contains($0.prefix { $0 != "=" })
        }
    }

    private static func isWebAddress(_ text: String) -> Bool {
        let address = text.prefix { $0 != "?" }
        guard !address.contains("@"), let url = PublicURL(String(address)) else { return false }
        return text.hasPrefix("https://") || url.isLoopback
    }

    /// Whether the scheme belongs to an app: a domain of its developer backwards (RFC 8252 section 7.1).
    private static func isPrivate(_ text: String) -> Bool {
        let scheme = text.prefix { $0 != ":" }
        let isScheme =
            scheme.contains(".") && scheme.utf8.first.map { (0x61...0x7A).contains($0) } == true
            && scheme.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
            }
        return isScheme && text.dropFirst(scheme.count).hasPrefix(":/")
    }
}
