/// Sign-in by a provider's token, and the steps common to all ways to sign in.
extension LatchkeyAuth {
    /// Signs in with Apple.
    @discardableResult
    public func signIn(apple credential: AppleCredential) async throws(AuthError) -> SignIn {
        let body: [String: JSONValue?] = [
            "identityToken": .string(credential.identityToken), "nonce": .optional(credential.nonce),
            "authorizationCode": .optional(credential.authorizationCode), "fullName": .optional(credential.fullName),
            "email": .optional(credential.email),
        ]
        return try await signIn("/auth/apple", body, idempotencyKey: Self.key(credential.identityToken))
    }

    /// Signs in with the identity token of an OpenID Connect provider.
    ///
    /// - Parameters:
    ///   - provider: the provider's name in the server's policy, such as `google`.
    ///   - identityToken: the token from the provider's SDK.
    ///   - nonce: the random value whose SHA-256 is in the token.
    @discardableResult
    public func signIn(
        provider: String, identityToken: String, nonce: String? = nil
    ) async throws(AuthError) -> SignIn {
        let isName = !provider.isEmpty && provider.utf8.allSatisfy(Self.isOfProviderName)
        guard isName else { throw .invalid(field: "provider", code: "invalid_provider") }
        let body: [String: JSONValue?] = ["identityToken": .string(identityToken), "nonce": .optional(nonce)]
        return try await signIn("/auth/oidc/\(provider)", body, idempotencyKey: Self.key(identityToken))
    }

    /// Sends a proof of the user's identity, and keeps the session that the server opens.
    func signIn(
        _ path: String, _ proof: [String: JSONValue?], idempotencyKey: String
    ) async throws(AuthError) -> SignIn {
        var body = proof
        body["deviceName"] = .optional(configuration.deviceName)
        let call = API.Call(method: .post, path: path, body: body, idempotencyKey: idempotencyKey)
        let members = try await engine.api.json(call).members ?? [:]
        guard let user = User(members["user"]), let tokens = Tokens(members["tokens"]) else { throw .notLatchkey }
        let isNewUser = members["isNewUser"] == .boolean(true)
        let record = record(of: user, tokens)
        _ = try await engine.ask { .signedIn(caller: $0, record, isNewUser: isNewUser, $1) }
        return SignIn(user: user, isNewUser: isNewUser, wasRestored: members["restored"] == .boolean(true))
    }

    /// The record of a new session. The machine gives it its version.
    private func record(of user: User, _ tokens: Tokens) -> SessionRecord {
        SessionRecord(
            origin: engine.api.baseURL.text, version: StoreVersion(epoch: 0, generation: 1),
            secret: RandomBytes.token(), refreshToken: tokens.refreshToken, accessToken: tokens.accessToken,
            issuedAt: configuration.clock.wall.unixSeconds, expiresIn: tokens.expiresIn, userID: user.id, user: user)
    }

    /// The key of a sign-in with a token that serves once: the same token has the same key.
    private static func key(_ identityToken: String) -> String {
        Base64URL.encode(SHA256.hash(Array("sign-in \(identityToken)".utf8)))
    }

    private static func isOfProviderName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
