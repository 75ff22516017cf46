import AsyncHTTPClient
import Policies
import ServiceCalls
import ServiceKit

/// Creates the policy's providers with which people sign in in a browser.
enum WebProviders {
    private static let appleAuthorizePath = "/auth/authorize"

    /// Creates the providers, by name.
    ///
    /// - Parameters:
    ///   - providers: all providers of the policy, by name.
    ///   - client: an HTTP client that meets the requirements of `HTTPProviderExchange`.
    static func make(
        _ context: ProcessContext, of providers: [String: IdentityProvider], client: HTTPClient
    ) throws -> [String: WebProvider] {
        var web: [String: WebProvider] = [:]
        for policy in context.policy.webProviders {
            guard let provider = providers[policy.name], let own = policy.web else { continue }
            web[policy.name] = WebProvider(
                provider: provider, clientID: own.clientID,
                authorizeURL: try IdentityProviders.url(
                    own.authorizeURL, apple: appleAuthorizePath, context.settings),
                exchange: try own.tokenURL.map { tokenURL in
                    CodeExchange(
                        provider: policy.name, clientID: own.clientID, secret: try secret(of: policy, context.settings),
                        tokenURL: try IdentityProviders.url(tokenURL, apple: "", context.settings),
                        exchange: try IdentityProviders.exchange(with: policy, context, client))
                })
        }
        return web
    }

    /// Refuses a start without the providers' secrets.
    static func requireSecrets(_ context: ProcessContext) throws {
        for provider in context.policy.webProviders where provider.web?.tokenURL != nil {
            _ = try secret(of: provider, context.settings)
        }
    }

    /// The secret that an OpenID Connect provider gave this deployment. A stand-in accepts any, so with one the file may be
    /// missing.
    private static func secret(
        of provider: IdentityProviderPolicy, _ settings: ProcessSettings
    ) throws -> Secret<String> {
        let name = "oidc_\(provider.name)"
        if let secret = try settings.secrets.password(name) { return secret }
        guard try IdentityProviders.oidcStandIn(settings) != nil else {
            throw SettingsError.missing(
                "secret \(name)", because: "oidc.\(provider.name).clientID signs people in in a browser",
                use: "the client's secret at the provider, in one line (deploy/docs/app/web-sign-in.md)")
        }
        return Secret("stand-in")
    }
}
