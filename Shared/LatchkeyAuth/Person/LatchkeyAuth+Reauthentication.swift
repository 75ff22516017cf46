public import Foundation

/// Showing again who the user is. It counts for the session, and a newer access token says so.
extension LatchkeyAuth {
    /// Has a code sent to the user's own phone number, or to the email address if there is no number or `channel` says so.
    public func requestReauthentication(
        channel: ProofChannel? = nil, locale: Locale? = nil
    ) async throws(AuthError) {
        try await change("/auth/reauthenticate/request", Self.codeRequest(channel, locale))
    }

    /// The members of the request for a code to an account's own number or address.
    static func codeRequest(_ channel: ProofChannel?, _ locale: Locale?) -> [String: JSONValue?] {
        ["channel": .optional(channel?.rawValue), "locale": .optional(locale?.identifier(.bcp47))]
    }

    /// Shows again who the user is, by the code that they have typed.
    /// - Throws: ``AuthError/reauthenticationFailed`` if it is wrong.
    public func reauthenticate(_ code: String, channel: ProofChannel? = nil) async throws(AuthError) {
        try await reauthenticate(.code(code, channel: channel))
    }

    /// Shows again who the user is, by their password.
    public func reauthenticateWithPassword(_ password: String) async throws(AuthError) {
        try await reauthenticate(.password(password))
    }

    /// Shows again who the user is, by a new identity token for the same account at `apple` or another provider.
    public func reauthenticateWithProvider(
        _ provider: String, identityToken: String, nonce: String? = nil
    ) async throws(AuthError) {
        try await reauthenticate(.provider(provider, identityToken: identityToken, nonce: nonce))
    }

    /// Shows again who the user is, by a proof of another kind.
    /// - Throws: ``AuthError/reauthenticationFailed`` if it is wrong, or another person's.
    public func reauthenticate(_ proof: AccountProof) async throws(AuthError) {
        // A repeat of the same code has the same key, so that after a lost response it counts as one guess.
        let key = SHA256.authenticate(
            Array("reauthenticate \(proof.secret)".utf8), key: Array((engine.record?.secret ?? "").utf8))
        let response = try await change(
            "/auth/reauthenticate", proof.members, key: proof.servesOnce ? Base64URL.encode(key) : RandomBytes.token())
        if response.members?["refresh"] == .boolean(true) { engine.feed { _ in .outdated } }
    }

    /// Sends a change of the account with the access token: a removal, if there is no body.
    /// - Parameter key: the Idempotency-Key, so that a repeat after a lost response changes nothing more.
    @discardableResult
    func change(
        _ path: String, route: String? = nil, _ body: [String: JSONValue?]? = nil, key: String = RandomBytes.token()
    ) async throws(AuthError) -> JSONValue {
        let method: API.Method = body == nil ? .delete : .post
        return try await authorized(
            API.Call(method: method, path: path, route: route, body: body, idempotencyKey: key))
    }
}
