import AuthAPI
import CryptoPrimitives
import EdgeHTTP
import InternalAPI
import Policies

/// Sign-in in a browser, and the codes that bring it or a mail's link back to the app.
extension SupabaseDialect {
    /// `GET /authorize`: sends the browser to the provider, which returns to the callback of the native API.
    @Sendable func authorize(_ request: SupabaseRequest) async throws -> Reply {
        guard let provider = browser.providers.first(where: { $0.name == request.query("provider") }),
            let redirect = redirect(request)
        else { throw SupabaseError(400, "provider_disabled", "Unsupported provider: provider is not enabled") }
        let challenge = try Self.challenge(
            request.query("code_challenge"), by: request.query("code_challenge_method"))
        guard let challenge else {
            throw SupabaseError.validationFailed("Only the PKCE flow is offered: code_challenge is missing")
        }
        let start = WebSignInStart(
            provider: provider.name, challenge: challenge.text, redirect: redirect,
            callbackURL: try browser.callbacks.url(for: provider, at: request.request.head))
        let location = try await request.useCases.signInInBrowser.begin(start, request.call)
        guard request.query("skip_http_redirect") != "true" else { return .json(["url": location]) }
        return .leading(to: location, status: 302)
    }

    /// `POST /token?grant_type=pkce`: exchanges the code that a mail's link or the browser brought, and the verifier, for a session.
    func exchangeCode(_ request: SupabaseRequest) async throws -> Reply {
        let (code, verifier) = (try request.needed("auth_code"), try request.needed("code_verifier"))
        guard VerifierChallenge(ofVerifier: verifier) != nil else {
            throw SupabaseError(
                400, "bad_code_verifier", "code challenge does not match previously saved code verifier")
        }
        do throws(Refusal) {
            let signedIn = try await signedIn(by: code, verifier, request)
            return try await session(
                signedIn, isRegistration: code.hasPrefix("\(MailReturn.Kind.signup.rawValue)."), request)
        } catch .wrongCode, .codeExpired, .invalidLink, .wrongPassword, .identityTokenUsed, .invalid {
            throw SupabaseError(404, "flow_state_not_found", "invalid flow state, no valid flow state found")
        }
    }

    private func signedIn(
        by code: String, _ verifier: String, _ request: SupabaseRequest
    ) async throws(Refusal) -> OpenSession.SignedIn {
        let wishes = OpenSession.Wishes(dialect: name)
        let useCases = request.useCases
        let parts = code.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let kind = MailReturn.Kind(rawValue: String(parts[0])) else {
            return try await useCases.signInInBrowser.verify(
                SignInInBrowser.Proof(provider: "", code: code, verifier: verifier), wishes, request.call)
        }
        let token = String(parts[1])
        switch kind {
        case .magiclink:
            return try await useCases.signInByMail(.link(token: token, verifier: verifier), wishes, request.call)
        case .signup, .recovery:
            return try await useCases.signInByAccountMail(
                .link(token: token, verifier: verifier),
                by: kind == .signup ? AccountOperations.confirm : AccountOperations.recover, wishes, request.call)
        }
    }
}

/// The providers with which people sign in in a browser, and the URLs to which these return it.
struct SupabaseBrowser: Sendable {
    var providers: [IdentityProviderPolicy] = []
    var callbacks = SignInCallbacks()
}

extension Reply {
    /// A redirection that no cache keeps. Its address may contain a code, which the next server does not learn.
    static func leading(to location: String, status: Int) -> Reply {
        Reply(
            status: status,
            headers: [("Location", location), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")],
            body: [])
    }
}
