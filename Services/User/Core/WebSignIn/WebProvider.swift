import AccessTokens
import CryptoPrimitives
import InternalAPI
import Policies
import ServiceCalls

/// A provider as sign-ins in a browser use it.
struct WebProvider: Sendable {
    let provider: IdentityProvider
    let clientID: String
    /// The URL at which a person signs in, without a query.
    let authorizeURL: String
    /// Exchanges codes; `nil` for Apple, which sends the token to the callback.
    let exchange: CodeExchange?

    /// The provider's rule for tokens of this client and flow, since a token for another client of the provider belongs to another
    /// sign-in.
    func rule(of state: SignInState) -> IdentityTokenRule {
        var rule = provider.rule
        rule.client = clientID
        if authenticatesAgain(state) { rule.authenticatedSince = state.createdAt }
        return rule
    }

    /// Whether the provider is asked to authenticate the person again. Otherwise one at which the browser is signed in would not ask.
    private func authenticatesAgain(_ state: SignInState) -> Bool {
        exchange != nil && state.owner?.purpose == .reauthentication
    }

    /// Whether the issuer that a provider states with its answer is this one (RFC 9207). Most state none.
    func isIssuer(_ stated: String?) -> Bool {
        stated.map(provider.rule.isIssuer) ?? true
    }

    /// Returns the URL to which the browser goes: the request of OpenID Connect Core section 3.1.2.1, or Apple's form of it.
    func location(for state: SignInState, sealed: String) -> String {
        let common = [
            ("client_id", clientID), ("redirect_uri", state.callbackURL), ("state", sealed),
            ("nonce", state.tokenNonce),
        ]
        let own =
            exchange == nil
            ? [("response_type", "code id_token"), ("response_mode", "form_post"), ("scope", "name email")]
            : [
                ("response_type", "code"), ("scope", "openid"),
                ("code_challenge", VerifierChallenge(ofVerifier: state.codeVerifier)?.text ?? ""),
                ("code_challenge_method", "S256"),
            ]
        let age = authenticatesAgain(state) ? [("max_age", "0")] : []
        return authorizeURL + "?" + Self.query(own + common + age)
    }

    /// Returns the app's address with members added to its query.
    static func location(_ redirect: String, adding members: [(String, String)]) -> String {
        redirect + (redirect.contains("?") ? "&" : "?") + query(members)
    }

    /// Encodes a query. A space is `%20`, as the providers' documents write it.
    private static func query(_ members: [(String, String)]) -> String {
        FormText.encode(members).replacing("+", with: "%20")
    }
}
