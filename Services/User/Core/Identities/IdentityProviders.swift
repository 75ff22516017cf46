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
        try url(provider.jwksURL, apple: appleKeysPath, settings)
    }

    /// Returns a provider's URL: the policy's, or the same path at a stand-in. Without one in the policy it is Apple's, at
    /// `APPLE_URL`, which may be a stand-in too.
    ///
    /// - Throws: `SettingsError` for an invalid URL, and in production for a URL without https.
    static func url(
        _ address: String?, apple path: String, _ settings: ProcessSettings
    ) throws -> String {
        guard let address, let url = PublicURL(address) else {
            return try settings.providerURL(appleURLSetting, default: appleURL).text + path
        }
        guard let standIn = try oidcStandIn(settings) else { return address }
        return standIn.text + url.text.dropFirst(url.origin.utf8.count)
    }

    /// The base URL of a stand-in for all OpenID Connect providers, which replaces the origin of the policy's URLs.
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
