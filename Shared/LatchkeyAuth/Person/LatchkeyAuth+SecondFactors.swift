/// The user's authenticator app and recovery codes.
extension LatchkeyAuth {
    /// Reads which second factors the user has.
    public func secondFactors() async throws(AuthError) -> SecondFactors {
        try read(
            try await offered { () throws(AuthError) in
                try await self.authorized(API.Call(method: .get, path: "/users/me/mfa"))
            })
    }

    /// Makes a secret for the user's authenticator app. It counts once ``activateTOTP(code:)`` has its first code.
    public func beginTOTP() async throws(AuthError) -> TOTPSecret {
        let json = try await offered { () throws(AuthError) in
            try await self.authorized(API.Call(method: .post, path: "/users/me/mfa/totp", body: [:]))
        }
        guard let secret = json.members?["secret"]?.text, let uri = json.members?["uri"]?.text else {
            throw .notLatchkey
        }
        return TOTPSecret(secret: secret, uri: uri)
    }

    /// Turns on the codes of the user's authenticator app.
    ///
    /// They may have to wait (``SecondFactors/activeFrom``), since the user has shown a code only.
    ///
    /// - Returns: ten recovery codes, to be shown once.
    /// - Throws: ``AuthError/secondFactorRefused`` if the code is wrong.
    public func activateTOTP(code: String) async throws(AuthError) -> [String] {
        try await recoveryCodes("/users/me/mfa/totp/activate", ["code": .string(PendingCode.digits(of: code))])
    }

    /// Turns off the codes of the user's authenticator app, and removes the recovery codes.
    public func removeTOTP() async throws(AuthError) {
        try await authorized(API.Call(method: .delete, path: "/users/me/mfa/totp"))
        engine.feed { _ in .outdated }
    }

    /// Replaces the recovery codes. The old ones are invalid then. It needs ``stepUp(_:)``.
    /// - Returns: ten recovery codes, to be shown once.
    public func renewRecoveryCodes() async throws(AuthError) -> [String] {
        try await recoveryCodes("/users/me/mfa/recovery-codes", [:])
    }

    /// Sets whether each sign-in by a code, a password or a provider needs a second factor. It needs ``stepUp(_:)``.
    @discardableResult
    public func requireSecondFactor(_ isRequired: Bool) async throws(AuthError) -> SecondFactors {
        try read(
            try await authorized(
                API.Call(method: .patch, path: "/users/me/mfa", body: ["required": .boolean(isRequired)])))
    }

    /// Cancels a removal of the second factors that support has begun (``SecondFactors/resetAt``).
    public func cancelSecondFactorReset() async throws(AuthError) {
        try await authorized(API.Call(method: .delete, path: "/users/me/mfa/reset"))
    }

    private func recoveryCodes(_ path: String, _ body: [String: JSONValue?]) async throws(AuthError) -> [String] {
        let json = try await authorized(API.Call(method: .post, path: path, body: body))
        guard case .array? = json.members?["recoveryCodes"], let codes = json.members?["recoveryCodes"]?.texts else {
            throw .notLatchkey
        }
        engine.feed { _ in .outdated }
        return codes
    }

    private func read(_ json: JSONValue) throws(AuthError) -> SecondFactors {
        guard let factors = SecondFactors(json) else { throw .notLatchkey }
        return factors
    }
}
