import AuthAPI
import CryptoPrimitives
import EdgeHTTP
import InternalAPI
import Policies
import ServiceKit
import StrictJSON

/// Sign-in by mail, registration and forgotten passwords. Every address has the same answer.
extension SupabaseDialect {
    var mailRows: [DialectRow] {
        let mails = [
            ("/magiclink", "Sends a sign-in mail", sendMail), ("/resend", "Sends a message again", resend),
            ("/signup", "Registers an account with a password", signUp),
            ("/recover", "Sends a mail for a forgotten password", recover),
        ].flatMap { path, summary, answer in
            DialectRow.supabase(.post, path, .open, repeats: .messages, answer: answer).map {
                $0.documented(
                    .passwords, summary, takes: .json(.any), .json(.any), refusals: Refusal.requestMail)
            }
        }
        let link = DialectRow.supabase(.get, "/verify", .open, answer: followLink).map {
            $0.documented(
                .passwords, "Leads from a mail's link to the app, with a code for /token",
                takes: .query(["token", "type"], optional: ["redirect_to"]), .nothing, status: 303)
        }
        let authorize = DialectRow.supabase(.get, "/authorize", .open, answer: authorize).map {
            $0.documented(
                .browser, "Sends the browser to the provider",
                takes: .query(["provider", "code_challenge"], optional: ["code_challenge_method", "redirect_to"]),
                .nothing, status: 302, refusals: Refusal.signInInBrowser)
        }
        return mails + link + authorize
    }

    // MARK: - Requests for mails

    /// `POST /otp` with `email`, and `POST /magiclink`.
    @Sendable func sendMail(_ request: SupabaseRequest) async throws -> Reply {
        let email = try address(request)
        let back = try back(request)
        let order = RequestMail.Order(
            email: email, challenge: back.challenge, locales: AcceptedLanguages.tags(request.request.head),
            dialect: name, redirect: back.redirect, usersOnly: request["create_user"] == .bool(false))
        try await keepData(for: email, request)
        try await request.useCases.requestMail(order, request.call)
        return .empty
    }

    /// `POST /signup`: a user that looks the same whether the address has an account or not.
    @Sendable private func signUp(_ request: SupabaseRequest) async throws -> Reply {
        if try request.text("email") == nil {
            throw try request.text("phone") == nil
                ? SupabaseError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
                : SupabaseError(422, "phone_provider_disabled", "Phone signups are disabled")
        }
        let email = try passwordAddress(request)
        let registration = PasswordAccounts.Registration(
            email: email, password: try request.needed("password"),
            locales: AcceptedLanguages.tags(request.request.head), linkSuffices: true, back: try back(request))
        try await keepData(for: email, request)
        try await request.useCases.accounts.register(registration, request.call)
        let now = UnixTime.seconds()
        // A client takes a user without identities for one who exists.
        var user = SupabaseUser(
            id: UUIDText.random(), email: email, phone: nil, role: "user", createdAt: now, metadata: nil,
            identities: [SupabaseUser.Identity(provider: "email", subject: email, email: email, createdAt: now)])
        user.isConfirmed = false
        return .json(user)
    }

    /// `POST /recover`
    @Sendable private func recover(_ request: SupabaseRequest) async throws -> Reply {
        try await request.useCases.accounts.forgotPassword(try accountMail(request), request.call)
        return .empty
    }

    /// `POST /resend`
    @Sendable private func resend(_ request: SupabaseRequest) async throws -> Reply {
        switch try request.needed("type") {
        case "signup":
            try await request.useCases.accounts.resendConfirmation(try accountMail(request), request.call)
        case "email_change":
            try await request.useCases.identities.requestEmail(
                try address(request), in: name, locales: AcceptedLanguages.tags(request.request.head), request.call)
        case "sms":
            try await request.useCases.requestCode(try phoneOrder(request), request.call)
        case "phone_change":
            try await request.useCases.identities.requestPhone(try phoneOrder(request), request.call)
        default: throw SupabaseError.validationFailed("Unsupported type")
        }
        return .empty
    }

    private func phoneOrder(_ request: SupabaseRequest) throws -> RequestCode.Order {
        guard let phone = try request.phone() else { throw Refusal.invalidBody(.missing(member: "phone")) }
        guard facts.sendsCodes else {
            throw SupabaseError(400, "phone_provider_disabled", "Phone sign-in is not enabled")
        }
        return RequestCode.Order(dialect: name, phone: phone)
    }

    private func accountMail(_ request: SupabaseRequest) throws -> PasswordAccounts.MailOrder {
        PasswordAccounts.MailOrder(
            email: try passwordAddress(request), locales: AcceptedLanguages.tags(request.request.head),
            linkSuffices: true, back: try back(request))
    }

    private func address(_ request: SupabaseRequest) throws -> String {
        guard facts.sendsMail else { throw SupabaseError(422, "email_provider_disabled", "Email logins are disabled") }
        return try request.needed("email")
    }

    private func passwordAddress(_ request: SupabaseRequest) throws -> String {
        guard facts.hasPasswords else {
            throw SupabaseError(422, "email_provider_disabled", "Email logins are disabled")
        }
        return try request.needed("email")
    }

    /// Returns the way of a mail's link back to the app: to a listed address alone.
    private func back(_ request: SupabaseRequest) throws -> MailReturn {
        let challenge = try Self.challenge(
            try request.text("code_challenge"), by: try request.text("code_challenge_method"))
        return MailReturn(challenge: challenge?.text, redirect: redirect(request))
    }

    func redirect(_ request: SupabaseRequest) -> String? {
        AppAddress.listed(request.query("redirect_to"), among: facts.webRedirects)
    }

    static func challenge(_ text: String?, by method: String?) throws -> VerifierChallenge? {
        guard let text else { return nil }
        guard method?.lowercased() == "s256", let challenge = VerifierChallenge(text) else {
            throw SupabaseError.validationFailed("code_challenge and code_challenge_method s256 are needed")
        }
        return challenge
    }

    // MARK: - Links and codes

    /// `GET /verify`: leads on to the app. It approves nothing, so that a program that follows links changes nothing.
    @Sendable private func followLink(_ request: SupabaseRequest) async throws -> Reply {
        guard let redirect = redirect(request) else { throw Refusal.notFound }
        let kind = request.query("type").flatMap { $0 == "email" ? .magiclink : MailReturn.Kind(rawValue: $0) }
        guard let kind, let token = request.query("token").flatMap(Self.token) else {
            return .leading(
                to: AppAddress.adding("error", "access_denied&error_code=otp_expired", to: redirect), status: 303)
        }
        return .leading(to: AppAddress.adding("code", "\(kind.rawValue).\(token)", to: redirect), status: 303)
    }

    private static let tokenLengthMax = 1_024

    private static func token(_ text: String) -> String? {
        !text.isEmpty && text.utf8.count <= tokenLengthMax && Base64URL.decode(text) != nil ? text : nil
    }

    /// `POST /verify` of another type than `sms`. It has one refusal, also when the code is burnt or its address locked.
    func verifyMail(_ request: SupabaseRequest, type: String) async throws -> Reply {
        switch type {
        case "email_change", "phone_change": return try await verifyChange(request, type: type)
        case "email", "magiclink", "signup", "recovery", "invite": break
        default: throw SupabaseError.otpExpired
        }
        // No mail has a `token_hash`.
        guard let email = try request.text("email"), let code = try request.text("token") else {
            guard try request.text("token_hash") != nil else { throw Refusal.invalidBody(.missing(member: "token")) }
            throw SupabaseError.otpExpired
        }
        do throws(Refusal) {
            let signedIn = try await signedIn(code, email, type: type, request)
            return try await session(signedIn, isRegistration: ["signup", "email"].contains(type), request)
        } catch .wrongPassword, .tooMany, .invalid {
            throw SupabaseError.otpExpired
        }
    }

    private func signedIn(
        _ code: String, _ email: String, type: String, _ request: SupabaseRequest
    ) async throws(Refusal) -> OpenSession.SignedIn {
        let wishes = OpenSession.Wishes(dialect: name)
        let useCases = request.useCases
        func byMail() async throws(Refusal) -> OpenSession.SignedIn {
            try await useCases.signInByMail(.code(code, email: email), wishes, request.call)
        }
        func byRegistration() async throws(Refusal) -> OpenSession.SignedIn {
            try await useCases.signInByAccountMail(
                .code(code, email: email), by: AccountOperations.confirm, wishes, request.call)
        }
        switch type {
        case "recovery":
            return try await useCases.signInByAccountMail(
                .code(code, email: email), by: AccountOperations.recover, wishes, request.call)
        case "signup":
            // Apps ask for this type at a first code by mail too.
            guard facts.hasPasswords else { return try await byMail() }
            do throws(Refusal) { return try await byRegistration() } catch .invalidLink { return try await byMail() }
        default:
            do throws(Refusal) {
                return try await byMail()
            } catch .wrongCode where type == "email" && facts.hasPasswords {
                // The type is that of a registration's code too.
                return try await byRegistration()
            }
        }
    }
}
