public import Foundation

/// Signing in by a code or a link.
extension LatchkeyAuth {
    /// Prepares the request of a code. Nothing is sent yet, so keep the result before you pass it to ``requestCode(_:)``.
    ///
    /// - Parameters:
    ///   - phone: the phone number as the user has typed it.
    ///   - region: the ISO 3166 code of the country, such as `US`, for a number without `+`.
    ///   - channel: the way in which the code reaches the phone.
    ///   - locale: the language of the message.
    public func prepareCode(
        phone: String, region: String? = nil, channel: Channel = .sms, locale: Locale? = nil
    ) -> PendingCode {
        PendingCode(
            destination: .phone(phone, region: region, channel: channel), locale: locale?.identifier(.bcp47))
    }

    /// Prepares the request of a mail. Nothing is sent yet.
    public func prepareCode(email: String, locale: Locale? = nil) -> PendingCode {
        PendingCode(destination: .email(email), locale: locale?.identifier(.bcp47))
    }

    /// Has a prepared code sent. After a lost response, call it again: both requests send one message.
    /// - Returns: what was passed.
    @discardableResult
    public func requestCode(_ prepared: PendingCode) async throws(AuthError) -> PendingCode {
        var body = prepared.request
        let path: String
        switch prepared.destination {
        case .phone: path = "/auth/otp/request"
        case .email:
            path = "/auth/magic-link/request"
            body["challenge"] = .string(prepared.challenge)
        }
        try await engine.api.json(
            API.Call(method: .post, path: path, body: body, idempotencyKey: prepared.requestKey))
        return prepared
    }

    /// Has a code sent to a phone.
    /// - Returns: what to pass to ``signIn(_:code:name:newAccount:)``. Keep it while the user reads the message.
    public func requestCode(
        phone: String, region: String? = nil, channel: Channel = .sms, locale: Locale? = nil
    ) async throws(AuthError) -> PendingCode {
        try await requestCode(prepareCode(phone: phone, region: region, channel: channel, locale: locale))
    }

    /// Has a mail sent that contains a code and a link. The link works on this device only.
    public func requestCode(email: String, locale: Locale? = nil) async throws(AuthError) -> PendingCode {
        try await requestCode(prepareCode(email: email, locale: locale))
    }

    /// Has the code sent again, by another channel if one is named.
    public func resend(_ pending: PendingCode, channel: Channel? = nil) async throws(AuthError) -> PendingCode {
        var destination = pending.destination
        if case .phone(let phone, let region, let last) = destination {
            destination = .phone(phone, region: region, channel: channel ?? last)
        }
        return try await requestCode(PendingCode(destination: destination, locale: pending.locale))
    }

    /// Signs in with the code that the user has typed.
    ///
    /// After a lost response, send the code again: both requests count as one guess and open one session.
    ///
    /// - Parameters:
    ///   - pending: the result of the request for the code.
    ///   - code: the code; spaces and hyphens do not count.
    ///   - name: the name of a new user.
    ///   - newAccount: whether the number begins a new account. Only for a user who says so after
    ///     ``AuthError/secondIdentityRequired(methods:)``.
    /// - Throws: ``AuthError/codeRefused`` if the code is wrong or too old.
    @discardableResult
    public func signIn(
        _ pending: PendingCode, code: String, name: String? = nil, newAccount: Bool = false
    ) async throws(AuthError) -> SignIn {
        let digits = PendingCode.digits(of: code)
        let proof: [String: JSONValue?] = [
            "code": .string(digits), "name": .optional(name), "newAccount": newAccount ? .boolean(true) : nil,
        ]
        let path =
            switch pending.destination {
            case .phone: "/auth/otp/verify"
            case .email: "/auth/magic-link/verify"
            }
        let key = pending.attemptKey(newAccount ? "\(digits) new" : digits)
        return try await signIn(path, pending.receiver.merging(proof) { $1 }, idempotencyKey: key)
    }

    /// Signs in with the link of a mail that the app was opened with.
    /// - Throws: ``AuthError/codeRefused`` if the link is used, too old or not for this device.
    @discardableResult
    public func signInWithLink(_ pending: PendingCode, _ link: URL) async throws(AuthError) -> SignIn {
        guard let token = Self.token(of: link) else { throw .codeRefused(nil) }
        let body: [String: JSONValue?] = ["token": .string(token), "verifier": .string(pending.verifier)]
        return try await signIn("/auth/magic-link/verify", body, idempotencyKey: pending.attemptKey(token))
    }

    /// The token of a link, from its query.
    static func token(of link: URL) -> String? {
        let query = URLComponents(url: link, resolvingAgainstBaseURL: false)?.queryItems
        return query?.first { $0.name == "token" }?.value
    }
}
