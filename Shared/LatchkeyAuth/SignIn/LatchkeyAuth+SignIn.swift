public import Foundation

/// Sign-in by a provider's token, and the steps common to all ways to sign in.
extension LatchkeyAuth {
    /// Signs in with Apple.
    @discardableResult
    public func signInWithApple(_ credential: AppleCredential) async throws(AuthError) -> SignIn {
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
    public func signInWithProvider(
        _ provider: String, identityToken: String, nonce: String? = nil
    ) async throws(AuthError) -> SignIn {
        guard Self.isProviderName(provider) else { throw .invalid(field: "provider", code: "invalid_provider") }
        let body: [String: JSONValue?] = ["identityToken": .string(identityToken), "nonce": .optional(nonce)]
        return try await signIn("/auth/oidc/\(provider)", body, idempotencyKey: Self.key(identityToken))
    }

    /// Signs in to an account that is scheduled for deletion, and cancels the deletion.
    /// - Parameter token: that of ``AuthError/deletionScheduled(_:)``. It works once.
    @discardableResult
    public func restore(_ token: RestoreToken) async throws(AuthError) -> SignIn {
        try await signIn(
            "/auth/restore", ["restoreToken": .string(token.text)], idempotencyKey: Self.key(token.text))
    }

    /// Keeps the session that the response to a sign-in has opened, such as one that an HTTP client of your own has received.
    /// - Parameter response: the body of the response.
    @discardableResult
    public func adopt(_ response: Data) async throws(AuthError) -> SignIn {
        guard let opened = Opened(JSONText.decode(response)) else { throw .notLatchkey }
        return try await keep(opened, proof: Self.key(opened.tokens.refreshToken))
    }

    /// Sends a proof of the user's identity, and keeps the session that the server opens.
    func signIn(
        _ path: String, _ proof: [String: JSONValue?], idempotencyKey: String
    ) async throws(AuthError) -> SignIn {
        try await signIns.once(idempotencyKey) { () throws(AuthError) in
            try await self.open(path, proof, idempotencyKey: idempotencyKey)
        }
    }

    /// Does a call with a proof that serves once and that the user would have to give again, so a lost connection is tried once more:
    /// the first request after a sheet or a page has closed often fails, and the key makes both requests one.
    func twice<Value>(_ call: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
        do throws(AuthError) {
            return try await call()
        } catch .offline {
            return try await call()
        }
    }

    func open(
        _ path: String, _ proof: [String: JSONValue?], idempotencyKey: String
    ) async throws(AuthError) -> SignIn {
        await engine.becomeFree()
        if let signIn = signIn(openedBy: idempotencyKey) { return signIn }
        var body = proof
        body["deviceName"] = .optional(configuration.deviceName)
        var call = API.Call(method: .post, path: path, body: body, idempotencyKey: idempotencyKey)
        call.headers["X-Device-Fingerprint"] = configuration.installationID ?? ThisDevice.installationID()
        guard let opened = Opened(try await engine.api.json(call)) else { throw .notLatchkey }
        return try await begin(opened, proof: idempotencyKey)
    }

    /// Keeps a session that was opened elsewhere.
    func keep(_ opened: Opened, proof: String) async throws(AuthError) -> SignIn {
        try await signIns.once(proof) { () throws(AuthError) in
            await self.engine.becomeFree()
            if let signIn = self.signIn(openedBy: proof) { return signIn }
            return try await self.begin(opened, proof: proof)
        }
    }

    /// The sign-in that has opened the present session, if its proof is this one. The server refuses a repeat once the session
    /// is renewed, so none is sent.
    private func signIn(openedBy proof: String) -> SignIn? {
        guard let record = engine.record, record.proof == proof else { return nil }
        return SignIn(user: record.user ?? User(id: record.userID), isNewUser: record.isNewUser, wasRestored: false)
    }

    func begin(_ opened: Opened, proof: String) async throws(AuthError) -> SignIn {
        let (signIn, tokens) = (opened.signIn, opened.tokens)
        // The machine gives the record its version.
        let record = SessionRecord(
            origin: engine.api.baseURL.text, version: .none, secret: RandomBytes.token(),
            refreshToken: tokens.refreshToken, accessToken: tokens.accessToken,
            issuedAt: configuration.clock.wall.unixSeconds, expiresIn: tokens.expiresIn, userID: signIn.user.id,
            user: signIn.user, proof: proof, isNewUser: signIn.isNewUser)
        _ = try await engine.ask { .signedIn(caller: $0, record, $1) }
        if opened.isNewDevice { engine.report(.newDevice) }
        reportPasskeys()
        return signIn
    }

    /// The key of a sign-in with a token that serves once: the same token has the same key.
    static func key(_ token: String) -> String {
        Base64URL.encode(SHA256.hash(Array("sign-in \(token)".utf8)))
    }

    /// Whether a text can be the name of a provider in a policy.
    static func isProviderName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}

/// A session that a sign-in has opened.
struct Opened: Sendable {
    let signIn: SignIn
    let tokens: Tokens
    var isNewDevice = false
}

extension Opened {
    /// Reads the response to a sign-in, or returns `nil` if it is not the expected JSON.
    init?(_ json: JSONValue?) {
        guard let members = json?.members, let user = User(members["user"]), let tokens = Tokens(members["tokens"])
        else { return nil }
        self.tokens = tokens
        isNewDevice = members["newDevice"] == .boolean(true)
        signIn = SignIn(
            user: user, isNewUser: members["isNewUser"] == .boolean(true),
            wasRestored: members["restored"] == .boolean(true))
    }
}
