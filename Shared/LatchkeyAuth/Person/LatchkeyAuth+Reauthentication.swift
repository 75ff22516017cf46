public import Foundation

/// Showing again who the user is. It counts for the session, and a newer access token says so.
extension LatchkeyAuth {
    /// Has a code sent to the user's own phone number, or to the email address if there is no number or `channel` says so.
    public func requestReauthentication(
        channel: ProofChannel? = nil, locale: Locale? = nil
    ) async throws(AuthError) {
        let body: [String: JSONValue?] = [
            "channel": .optional(channel?.rawValue), "locale": .optional(locale?.identifier(.bcp47)),
        ]
        try await change(.post, "/auth/reauthenticate/request", body)
    }

    /// Shows again who the user is, by the code that they have typed.
    /// - Throws: ``AuthError/reauthenticationFailed`` if it is wrong.
    public func reauthenticate(_ code: String, channel: ProofChannel? = nil) async throws(AuthError) {
        let digits = PendingCode.digits(of: code)
        // A repeat of the same code has the same key, so that after a lost response it counts as one guess.
        let key = SHA256.authenticate(
            Array("reauthenticate \(digits)".utf8), key: Array((engine.record?.secret ?? "").utf8))
        try await prove(
            ["code": .string(digits), "channel": .optional(channel?.rawValue)], key: Base64URL.encode(key))
    }

    /// Shows again who the user is, by their password.
    public func reauthenticateWithPassword(_ password: String) async throws(AuthError) {
        try await prove(["password": .string(password)], key: RandomBytes.token())
    }

    /// Shows again who the user is, by a new identity token for the same account at `apple` or another provider.
    public func reauthenticateWithProvider(
        _ provider: String, identityToken: String, nonce: String? = nil
    ) async throws(AuthError) {
        let proof: [String: JSONValue?] = [
            "provider": .string(provider), "identityToken": .string(identityToken), "nonce": .optional(nonce),
        ]
        try await prove(proof, key: Self.key(identityToken))
    }

    private func prove(_ proof: [String: JSONValue?], key: String) async throws(AuthError) {
        let response = try await change(.post, "/auth/reauthenticate", proof, key: key)
        if response.members?["refresh"] == .boolean(true) { engine.feed { _ in .outdated } }
    }

    /// Sends a change of the account with the access token.
    /// - Parameter key: the Idempotency-Key, so that a repeat after a lost response changes nothing more.
    @discardableResult
    func change(
        _ method: API.Method, _ path: String, route: String? = nil, _ body: [String: JSONValue?]? = nil,
        key: String = RandomBytes.token()
    ) async throws(AuthError) -> JSONValue {
        try await authorized(
            API.Call(method: method, path: path, route: route, body: body, idempotencyKey: key))
    }
}
