import AuthAPI
import EdgeHTTP
import InternalAPI
import Policies

/// Sign-in by the identity tokens of Apple (howru section 9) and OpenID Connect providers.
struct NativeIdentities: Sendable {
    /// The names of the providers: `apple` and those of section `oidc`.
    let providers: [String]
    /// The providers with which people sign in in a browser.
    var web: [IdentityProviderPolicy] = []
    /// The URLs at which these return the browser.
    var callbacks = SignInCallbacks()
    /// The page that leads back to an app whose address is not https.
    var returnPage = AppReturnPage()
    /// Whether a response contains the tokens under the names of uta's login too.
    var namesTokensTwice = false

    /// The response to a sign-in.
    var signIn: APIOperation.Content { namesTokensTwice ? .json(LoginReply.self) : .json(SignInReply.self) }
}

extension NativeDialect {
    /// One row for each provider, and one for Apple's notifications.
    var identityRows: [DialectRow] {
        signInRows
            + (identities.providers.contains(IdentityProviderPolicy.appleName)
                ? [appleRow] : [])
    }

    private var appleRow: DialectRow {
        DialectRow(.post, "/webhooks/apple", .open, counting: .refused, answer: takeAppleNotification)
            .documented(
                .identityTokens, "Receives Apple's notifications about accounts",
                takes: .json(AppleNotificationBody.self), .json(WebhookReceived.self), refusals: Refusal.webhook)
    }

    private var signInRows: [DialectRow] {
        identities.providers.compactMap { provider in
            RoutePattern(IdentityProviderPolicy(name: provider).path).map { pattern in
                DialectRow(.post, at: pattern, .open, refusesAsHost: true) { request, useCases throws(Refusal) in
                    try await signIn(at: provider, request, useCases.signInByIdentityToken)
                }
                .documented(
                    .identityTokens, "Signs in with a token of the provider's SDK",
                    takes: .json(IdentityTokenBody.self),
                    identities.signIn, refusals: Refusal.signInByIdentityToken)
            }
        }
    }

    /// `POST /auth/apple`, `POST /auth/oidc/{name}`: exchanges an identity token for a session.
    func signIn(
        at provider: String, _ request: ClientRequest, _ exchange: SignInByIdentityToken
    ) async throws(Refusal) -> Reply {
        let body = try request.json.decode(IdentityTokenBody.self)
        let signedIn = try await exchange(
            SignInByIdentityToken.Proof(
                provider: provider, token: body.identityToken, nonce: body.nonce,
                authorizationCode: body.authorizationCode),
            OpenSession.Wishes(dialect: name, name: Self.name(body.fullName), deviceName: body.deviceName),
            ClientCall(request))
        return reply(to: request, signedIn, namesTokensTwice: identities.namesTokensTwice)
    }

    /// `POST /webhooks/apple`: receives Apple's notifications about accounts.
    @Sendable func takeAppleNotification(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply
    {
        let body = try request.json.decode(AppleNotificationBody.self)
        try await useCases.takeCallback.apple(AppleNotification(payload: body.payload), ClientCall(request))
        return .json(WebhookReceived())
    }

    private struct AppleNotificationBody: Codable {
        let payload: String
    }

    /// Reads the text of a name. Some apps send the JSON of its components as a string.
    static func name(_ name: PersonName?) -> String? {
        guard let name, name.text.hasPrefix("{") else { return name?.text }
        do throws(Refusal) { return try JSONBody(Array(name.text.utf8)).decode(PersonName.self).text } catch {
            return nil
        }
    }
}
