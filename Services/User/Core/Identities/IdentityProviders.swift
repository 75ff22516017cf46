import AccessTokens
import AsyncHTTPClient
import Policies
import ServiceCalls
import ServiceKit

/// A provider's rule and keys.
struct IdentityProvider: Sendable {
    let rule: IdentityTokenRule
    let keys: ProviderKeys
}

/// Creates the policy's providers with their keys.
enum IdentityProviders {
    private static let appleURLSetting = "APPLE_URL"
    private static let oidcURLSetting = "OIDC_KEYS_URL"
    private static let appleURL = "https://appleid.apple.com"
    private static let appleKeysPath = "/auth/keys"

    /// Creates the providers, by name.
    ///
    /// - Parameter client: an HTTP client that meets the requirements of `HTTPProviderExchange`.
    static func make(
        _ context: ProcessContext, client: HTTPClient
    ) throws -> [String: IdentityProvider] {
        let exchange = HTTPProviderExchange(client: client, answerBytesMax: ProviderKeys.bytesMax)
        var providers: [String: IdentityProvider] = [:]
        for provider in context.policy.identityProviders {
            guard let algorithm = SignatureAlgorithm(rawValue: provider.algorithm) else {
                throw SettingsError("LATCHKEY_POLICY", "\(provider.algorithm) is not an algorithm of identity tokens.")
            }
            let rule = IdentityTokenRule(
                provider: provider, leewaySeconds: context.policy.signing.leewaySeconds)
            let keys = ProviderKeys(
                provider, algorithm, url: try keysURL(provider, context.settings), exchange: exchange,
                logger: context.logger)
            providers[provider.name] = IdentityProvider(rule: rule, keys: keys)
        }
        return providers
    }

    /// Refuses settings with which user-service does not start.
    static func check(_ context: ProcessContext) throws {
        for provider in context.policy.identityProviders { _ = try keysURL(provider, context.settings) }
    }

    private static func keysURL(_ provider: IdentityProviderPolicy, _ settings: ProcessSettings) throws -> String {
        guard let address = provider.jwksURL, let url = PublicURL(address) else { return try appleKeysURL(settings) }
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
            url: try appleURL(settings), secret: secret,
            exchange: HTTPProviderExchange(client: client, answerBytesMax: AppleServer.bytesMax), now: now)
    }

    /// The base URL of Apple's server. `APPLE_URL` is the base URL of a stand-in for tests.
    ///
    /// - Throws: `SettingsError` for an invalid URL, and in production for a URL without https.
    private static func appleURL(_ settings: ProcessSettings) throws -> String {
        try settings.providerURL(appleURLSetting, default: appleURL).text
    }

    private static func appleKeysURL(_ settings: ProcessSettings) throws -> String {
        try appleURL(settings) + appleKeysPath
    }

    /// The base URL of a stand-in for all OpenID Connect providers, which replaces the origin of the policy's key URLs.
    ///
    /// - Throws: `SettingsError` for an invalid URL, and in production for any URL.
    private static func oidcStandIn(_ settings: ProcessSettings) throws -> PublicURL? {
        guard let set = settings.variable(oidcURLSetting) else { return nil }
        guard let url = PublicURL(set), settings.environment != .production else {
            throw settings.environment == .production
                ? SettingsError(oidcURLSetting, "is for tests and does not go with production. Unset it.")
                : SettingsError.invalid(oidcURLSetting, set, use: "a URL such as http://127.0.0.1:8026")
        }
        return url
    }
}
