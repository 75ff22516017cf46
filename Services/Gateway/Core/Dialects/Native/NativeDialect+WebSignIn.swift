import AuthAPI
import EdgeHTTP
import InternalAPI
import Policies

/// Sign-in with a provider in a browser, for web pages and Android apps. A provider's path P is that of its tokens.
extension NativeDialect {
    /// Three rows for each provider.
    var webSignInRows: [DialectRow] {
        identities.web.flatMap { provider in
            let isApple = provider.name == IdentityProviderPolicy.appleName
            return [
                row(.get, provider.path + "/authorize") { request, useCases throws(Refusal) in
                    try await begin(at: provider, request, useCases.signInInBrowser)
                }?
                .documented(
                    .browser, "Sends the browser to the provider", takes: .query(["challenge", "redirect"]), .nothing,
                    status: 303, refusals: Refusal.signInInBrowser),
                row(isApple ? .post : .get, provider.callbackPath) { request, useCases throws(Refusal) in
                    try await finish(at: provider, request, useCases.signInInBrowser)
                }?
                .documented(
                    .browser, "Sends the browser back to the app with a code or an error",
                    takes: callback(isForm: isApple),
                    .nothing, status: 303, refusals: Refusal.signInInBrowser),
                row(.post, provider.path + "/verify", ignoresCookies: false) { request, useCases throws(Refusal) in
                    try await verify(at: provider, request, useCases.signInInBrowser)
                }?
                .documented(
                    .browser, "Signs in with the code that the browser brought", takes: .json(SignInCodeBody.self),
                    identities.signIn, refusals: Refusal.signInByIdentityToken + [.wrongCode]),
            ].compactMap { $0 }
        }
    }

    private func callback(isForm: Bool) -> APIOperation.Content {
        isForm
            ? .form(["state"], optional: ["code", "id_token", "user", "error"])
            : .query(["state"], optional: ["code", "iss", "error"])
    }

    /// - Parameter ignoresCookies: whether a browser may come from any page, such as the provider's, since cookies mean nothing here.
    private func row(
        _ method: HTTPMethod, _ path: String, ignoresCookies: Bool = true, answer: @escaping DialectRow.Answer
    ) -> DialectRow? {
        RoutePattern(path).map {
            DialectRow(method, at: $0, .open, refusesAsHost: true, ignoresCookies: ignoresCookies, answer: answer)
        }
    }

    /// `GET P/authorize`: sends the browser to the provider.
    func begin(
        at provider: IdentityProviderPolicy, _ request: ClientRequest, _ signIn: SignInInBrowser
    ) async throws(Refusal) -> Reply {
        let query = try Self.form(Array((request.head.query ?? "").utf8))
        let start = WebSignInStart(
            provider: provider.name, challenge: try Self.required("challenge", in: query),
            redirect: try Self.required("redirect", in: query),
            callbackURL: try identities.callbacks.url(for: provider, at: request.head))
        return Self.redirect(to: try await signIn.begin(start, ClientCall(request)))
    }

    /// `GET P/callback`, Apple's with POST: sends the browser from the provider back to the app, or shows the page that does.
    func finish(
        at provider: IdentityProviderPolicy, _ request: ClientRequest, _ signIn: SignInInBrowser
    ) async throws(Refusal) -> Reply {
        // A state serves once, so it is not for programs that only look where a link leads.
        guard request.head.method != .head else { throw .methodNotAllowed(["GET"]) }
        let isForm = request.head.method == .post
        guard !isForm || FormBody.isForm(request.head) else { throw .invalid(member: "Content-Type") }
        let form = try Self.form(isForm ? request.body : Array((request.head.query ?? "").utf8))
        let call = ClientCall(request)
        let answer = WebSignInReturn(
            provider: provider.name, callbackURL: try identities.callbacks.url(for: provider, at: request.head),
            state: form["state"] ?? "", code: form["code"], identityToken: isForm ? form["id_token"] : nil,
            error: form["error"], issuer: form["iss"], person: isForm ? form["user"] : nil, address: call.address,
            callID: CallID.random())
        let location = try await signIn.finish(answer, call)
        // Apple's page always asks the user.
        guard location.hasPrefix("https://") || provider.name == IdentityProviderPolicy.appleName else {
            return identities.returnPage.reply(to: location, locales: AcceptedLanguages.tags(request.head))
        }
        return Self.redirect(to: location)
    }

    /// `POST P/verify`: exchanges the code that the browser brought to the app for a session.
    func verify(
        at provider: IdentityProviderPolicy, _ request: ClientRequest, _ signIn: SignInInBrowser
    ) async throws(Refusal) -> Reply {
        let body = try request.json.decode(SignInCodeBody.self)
        let signedIn = try await signIn.verify(
            SignInInBrowser.Proof(provider: provider.name, code: body.code, verifier: body.verifier),
            OpenSession.Wishes(dialect: name, name: Self.name(body.fullName), deviceName: body.deviceName),
            ClientCall(request))
        return reply(to: request, signedIn, namesTokensTwice: identities.namesTokensTwice)
    }

    private static func form(_ text: [UInt8]) throws(Refusal) -> FormBody {
        do throws(FormBody.Refusal) { return try FormBody(text) } catch { throw .invalidMember }
    }

    private static func required(_ member: String, in form: FormBody) throws(Refusal) -> String {
        guard let value = form[member] else { throw .invalidBody(.missing(member: member)) }
        return value
    }

    /// Returns a redirection that no cache keeps. The next server does not learn from where the browser came, since the address may
    /// contain a code.
    private static func redirect(to location: String) -> Reply {
        Reply(
            status: 303,
            headers: [("Location", location), ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")],
            body: [])
    }
}
