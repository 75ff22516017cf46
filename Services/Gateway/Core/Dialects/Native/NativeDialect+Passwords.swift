import AuthAPI
import EdgeHTTP
import Policies

/// The settings of the native dialect for accounts with a password.
struct NativePasswords: Sendable {
    let appName: String
    let texts: MessageCatalog
    /// Characters that a new password needs.
    var lengthMin = PasswordPolicy().lengthMin
    /// Whether a registration's link confirms it without the password (uta).
    var linkSuffices = false

    /// The action that confirms a registration.
    var confirmation: AccountPage.Act { linkSuffices ? .confirmByLink : .confirm }

    func page(_ act: AccountPage.Act) -> AccountPage {
        AccountPage(act: act, appName: appName, catalog: texts, lengthMin: lengthMin)
    }
}

/// Accounts by e-mail and password.
extension NativeDialect {
    /// `POST /auth/register`: the same answer for every address.
    @Sendable func register(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(RegisterBody.self)
        let registration = PasswordAccounts.Registration(
            email: body.email, password: body.password, name: body.name,
            locales: AcceptedLanguages.tags(request.head, after: body.locale), linkSuffices: linkSuffices)
        try await useCases.accounts.register(registration, ClientCall(request))
        return .json(SuccessReply(message: "An email to this address explains the next step"))
    }

    /// `POST /auth/verify-email/resend`: the same answer for every address.
    @Sendable func resendConfirmation(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        try await useCases.accounts.resendConfirmation(try mailOrder(request), ClientCall(request))
        return .json(SuccessReply(message: "If a registration is waiting for this address, an email has been sent"))
    }

    /// `POST /auth/forgot-password`: the same answer for every address.
    @Sendable func forgotPassword(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        try await useCases.accounts.forgotPassword(try mailOrder(request), ClientCall(request))
        return .json(SuccessReply(message: "If this address has an account, an email has been sent"))
    }

    var linkSuffices: Bool { passwords?.linkSuffices ?? false }

    private func mailOrder(_ request: ClientRequest) throws(Refusal) -> PasswordAccounts.MailOrder {
        let body = try request.json.decode(AccountMailBody.self)
        return PasswordAccounts.MailOrder(
            email: body.email, locales: AcceptedLanguages.tags(request.head, after: body.locale),
            linkSuffices: linkSuffices)
    }

    /// `POST /auth/login`
    @Sendable func logIn(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        reply(to: request, try await request.signInByPassword(in: name, useCases), namesTokensTwice: true)
    }

    /// `POST /auth/change-password`
    @Sendable func changePassword(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(ChangePasswordBody.self)
        try await useCases.accounts.changePassword(
            from: body.oldPassword, to: body.newPassword, ClientCall(request))
        return .json(SuccessReply())
    }

    /// `DELETE /auth/account`: as `DELETE /users/me`, at the word of the password.
    @Sendable func deleteByPassword(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(PasswordBody.self)
        try await useCases.accounts.delete(password: body.password, ClientCall(request))
        return Self.accountGivenUp
    }

    // MARK: - Links

    /// `GET /auth/verify-email`: where a link leads that no app opens.
    @Sendable func showConfirmation(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        guard let passwords else { throw .notFound }
        let page = passwords.page(passwords.confirmation)
        return page.reply(query: request.head.query, locales: AcceptedLanguages.tags(request.head))
    }

    /// `GET /auth/reset-password`
    @Sendable func showReset(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        guard let page = passwords?.page(.reset) else { throw .notFound }
        let address = await resetAddress(page.token(query: request.head.query), ClientCall(request), useCases)
        return page.reply(query: request.head.query, address: address, locales: AcceptedLanguages.tags(request.head))
    }

    /// `POST /auth/verify-email`, by an app or by the page.
    @Sendable func confirm(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        try await use(passwords?.confirmation ?? .confirm, request, useCases, useCases.accounts.confirm)
    }

    /// `POST /auth/reset-password`, by an app or by the page.
    @Sendable func resetPassword(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        try await use(.reset, request, useCases, useCases.accounts.resetPassword)
    }

    /// `GET /.well-known/change-password`: where password managers send people (W3C's change-password URL).
    @Sendable func findReset(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        // Relative, to the path that the gateway is at, wherever a proxy has put it.
        Reply(
            status: 302, headers: [("Location", "../auth/reset-password"), ("Cache-Control", "no-store")], body: [])
    }

    /// Returns the address whose password the token sets, for password managers. The page works without it, so `nil` also
    /// if user-service does not answer.
    private func resetAddress(_ token: String?, _ call: ClientCall, _ useCases: UseCases) async -> String? {
        guard let token else { return nil }
        do throws(Refusal) { return try await useCases.accounts.resetAddress(token, call) } catch { return nil }
    }

    /// A form is answered by a page, whatever comes of it; everything else as JSON.
    private func use(
        _ act: AccountPage.Act, _ request: ClientRequest, _ useCases: UseCases,
        _ useLink: (PasswordAccounts.Link, ClientCall) async throws(Refusal) -> Void
    ) async throws(Refusal) -> Reply {
        guard let page = passwords?.page(act), FormBody.isForm(request.head) else {
            try await useLink(try Self.link(request.json, of: act), ClientCall(request))
            return .json(SuccessReply())
        }
        let locales = AcceptedLanguages.tags(request.head)
        var link: PasswordAccounts.Link?
        do throws(Refusal) {
            let sent = try page.link(request.body)
            link = sent
            try await useLink(sent, ClientCall(request, isForm: true))
            return page.done(locales: locales)
        } catch {
            let showsReset = act == .reset && AccountPage.asksAgain(after: error)
            let address = showsReset ? await resetAddress(link?.token, ClientCall(request), useCases) : nil
            return page.reply(
                to: error, token: link?.token, address: address, hadPassword: link?.password != nil, locales: locales)
        }
    }

    struct LinkBody: Decodable {
        let token: String
        let password: String?
    }

    private static func link(_ json: JSONBody, of act: AccountPage.Act) throws(Refusal) -> PasswordAccounts.Link {
        guard act == .confirmByLink else {
            let body = try json.decode(AccountLinkBody.self)
            guard let code = body.code else {
                guard let token = body.token else { throw .invalidBody(.missing(member: "token")) }
                return PasswordAccounts.Link(token: token, password: body.password)
            }
            guard body.token == nil else { throw .invalid(member: "token") }
            guard let email = body.email else { throw .invalidBody(.missing(member: "email")) }
            return PasswordAccounts.Link(token: "", email: email, code: code, password: body.password)
        }
        let body = try json.decode(LinkBody.self)
        return PasswordAccounts.Link(token: body.token, password: body.password)
    }
}
