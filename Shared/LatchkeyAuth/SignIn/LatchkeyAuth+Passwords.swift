public import Foundation

/// Accounts with an email address and a password, where the server's policy has them.
extension LatchkeyAuth {
    /// Signs in with a password.
    /// - Throws: ``AuthError/passwordRefused`` if the address or the password is wrong.
    @discardableResult
    public func signInWithPassword(email: String, password: String) async throws(AuthError) -> SignIn {
        try await signIns.once(Self.key("\(email) \(password)")) { () throws(AuthError) in
            // A password may be tried again with the same result, so each attempt has a key of its own.
            try await self.open(
                "/auth/login", ["email": .string(email), "password": .string(password)],
                idempotencyKey: RandomBytes.token())
        }
    }

    /// Registers an account. The server mails a link, whether or not the address has an account already.
    public func register(
        email: String, password: String, name: String? = nil, locale: Locale? = nil
    ) async throws(AuthError) {
        try await post(
            "/auth/register",
            [
                "email": .string(email), "password": .string(password), "name": .optional(name),
                "locale": .optional(locale?.identifier(.bcp47)),
            ])
    }

    /// Confirms a registration by the link of its mail and the password. Sign in afterwards.
    public func confirmRegistration(link: URL, password: String) async throws(AuthError) {
        try await use(link, "/auth/verify-email", password)
    }

    /// Has the link of a registration sent again.
    public func resendRegistration(email: String, locale: Locale? = nil) async throws(AuthError) {
        try await post(
            "/auth/verify-email/resend",
            ["email": .string(email), "locale": .optional(locale?.identifier(.bcp47))])
    }

    /// Has a link sent by which the user sets a new password.
    public func forgotPassword(email: String, locale: Locale? = nil) async throws(AuthError) {
        try await post(
            "/auth/forgot-password", ["email": .string(email), "locale": .optional(locale?.identifier(.bcp47))])
    }

    /// Sets a new password by the link of a mail. All sessions of the user end.
    public func resetPassword(link: URL, password: String) async throws(AuthError) {
        try await use(link, "/auth/reset-password", password)
    }

    private func use(_ link: URL, _ path: String, _ password: String) async throws(AuthError) {
        guard let token = Self.token(of: link) else { throw .codeRefused(nil) }
        try await post(path, ["token": .string(token), "password": .string(password)])
    }

    private func post(_ path: String, _ body: [String: JSONValue?]) async throws(AuthError) {
        let call = API.Call(method: .post, path: path, body: body, idempotencyKey: RandomBytes.token())
        try await engine.api.json(call)
    }
}
