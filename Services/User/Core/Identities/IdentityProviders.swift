import AccessTokens
import AsyncHTTPClient
import OutgoingConnections
import Policies
import ServiceCalls
import ServiceKit

/// A provider's rule and keys.
struct IdentityProvider: Sendable {
    let rule: IdentityTokenRule
    let keys: ProviderKeys
}

/// The policy's providers with their keys.
struct IdentityProviders: Sendable {
    private static let appleURLSetting = "APPLE_URL"
    private static let oidcURLSetting = "OIDC_KEYS_URL"
    private static let appleKeysPath = "/auth/keys"

    /// Apple and the OpenID Connect providers.
    var byName: [String: IdentityProvider] = [:]
    /// The services of phone tokens.
    var ofPhones: [PhoneTokenProvider] = []
}

extension IdentityProviders {
    /// - Parameter client: an HTTP client that meets the requirements of `HTTPProviderExchange`.
    init(_ context: ProcessContext, client: HTTPClient) throws {
        self.init()
        let exchange = HTTPProviderExchange(client: client, answerBytesMax: ProviderKeys.bytesMax)
        let leeway = context.policy.signing.leewaySeconds
        for provider in context.policy.identityProviders {
            byName[provider.name] = IdentityProvider(
                rule: IdentityTokenRule(provider: provider, leewaySeconds: leeway),
                keys: try Self.keys(of: provider, context, try Self.exchange(with: provider, context, client)))
        }
        ofPhones = try context.policy.phoneTokens.map { policy in
            PhoneTokenProvider(
                rule: PhoneTokenRule(
                    policy, leewaySeconds: leeway, acceptsTestNumbers: context.settings.environment != .production),
                keys: try Self.keys(of: policy.token, context, exchange))
        }
    }

    /// Creates the exchange with a provider. The operator's own authorities count only if the provider's entry says so, since the
    /// holder of an authority's key could forge the keys of every provider.
    static func exchange(
        with provider: IdentityProviderPolicy, _ context: ProcessContext, _ client: HTTPClient
    ) throws -> HTTPProviderExchange {
        let authorities = try provider.usesOwnAuthority ? context.settings.ownAuthorities() : nil
        return HTTPProviderExchange(client: client, answerBytesMax: ProviderKeys.bytesMax, authorities: authorities)
    }

    /// Refuses a start without the authority that a provider's entry requires.
    static func requireAuthority(_ context: ProcessContext) throws {
        let authorities = try context.settings.ownAuthorities()
        guard let provider = context.policy.oidc.first(where: \.usesOwnAuthority), authorities == nil else { return }
        throw SettingsError.missing(
            OwnAuthorities.setting, because: "oidc.\(provider.name).ownAuthority is true",
            use: "a PEM file with the authority of the provider's certificate")
    }

    private static func keys(
        of provider: IdentityProviderPolicy, _ context: ProcessContext, _ exchange: HTTPProviderExchange
    ) throws -> ProviderKeys {
        guard let algorithm = SignatureAlgorithm(rawValue: provider.algorithm) else {
            throw SettingsError("LATCHKEY_POLICY", "\(provider.algorithm) is not an algorithm of identity tokens.")
        }
        return ProviderKeys(
            provider, algorithm, url: try keysURL(provider, context.settings), exchange: exchange,
            logger: context.logger)
    }

    /// Refuses settings with which user-service does not start.
    static func check(_ context: ProcessContext) throws {
        for provider in context.policy.tokenProviders { _ = try keysURL(provider, context.settings) }
    }

    static func keysURL(_ provider: IdentityProviderPolicy, _ settings: ProcessSettings) throws -> String {
        try url(provider.jwksURL, apple: appleKeysPath, settings)
    }

    /// Returns a provider's URL: the policy's, or the same path at a stand-in. Without one in the policy it is Apple's, at
    /// `APPLE_URL`, which may be a stand-in too.
    ///
    /// - Throws: `SettingsError` for an invalid URL, and in production for a URL without https.
    static func url(
        _ address: String?, apple path: String, _ settings: ProcessSettings
    ) throws -> String {
        guard let address, let url = PublicURL.ofKeys(address) else {
            return try settings.providerURL(appleURLSetting).text + path
        }
        guard let standIn = try oidcStandIn(settings) else { return address }
        return standIn.text + url.text.dropFirst(url.origin.utf8.count)
    }

    /// Creates the client of Apple's server, or returns `nil` if the deployment has no key for it.
    ///
    /// - Parameter client: an HTTP client that meets the requirements of `HTTPProviderExchange`.
    static func appleServer(
        _ settings: ProcessSettings, client: HTTPClient, now: @escaping @Sendable () -> Int64
    ) throws -> AppleServer? {
        guard let secret = try AppleClientSecret(settings) else { return nil }
        return AppleServer(
            url: try settings.providerURL(appleURLSetting).text, secret: secret,
            exchange: HTTPProviderExchange(client: client, answerBytesMax: AppleServer.bytesMax), now: now)
    }

    /// The base URL of a stand-in for all OpenID Connect providers and the services of phone tokens, which replaces the origin of
    /// the policy's URLs.
    ///
    /// - Throws: `SettingsError` for an invalid URL, and in production for any URL.
    static func oidcStandIn(_ settings: ProcessSettings) throws -> PublicURL? {
        guard let set = settings.variable(oidcURLSetting) else { return nil }
        guard let url = PublicURL(set), settings.environment != .production else {
            throw settings.environment == .production
                ? SettingsError(oidcURLSetting, "is for tests and does not go with production. Unset it.")
                : SettingsError.invalid(oidcURLSetting, set, use: "a URL such as http://127.0.0.1:8026")
        }
        return url
    }
}
