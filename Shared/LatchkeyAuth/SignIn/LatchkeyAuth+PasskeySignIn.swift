/// Signing in with a passkey, and the second factor of a sign-in.
extension LatchkeyAuth {
    /// The name of the call that waits for a passkey from the keyboard.
    private static let autoFill = "passkey autofill"

    /// Signs in with one of the user's passkeys, by the system's sheet.
    ///
    /// A second call closes a sheet that is open, unless it is part of a double tap.
    ///
    /// - Parameter autoFill: whether the keyboard offers the passkeys in a text field with the content type `username`, and no sheet
    ///   opens. Call it when the screen appears, and cancel the task when it goes. Another sign-in with a passkey cancels it. Only on
    ///   iOS and visionOS.
    /// - Throws: ``AuthError/cancelled`` if the user has closed the sheet, and ``AuthError/passkeyRefused`` if the server does not
    ///   accept the passkey.
    @available(iOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    @discardableResult
    public func signInWithPasskey(autoFill: Bool = false) async throws(AuthError) -> SignIn {
        let (name, replaced) =
            autoFill ? (Self.autoFill, nil) : openPage.proof("passkey sheet", at: configuration.clock.now)
        if let replaced { signIns.cancel(replaced) }
        if !autoFill { signIns.cancel(Self.autoFill) }
        let keeper = try passkeyKeeper
        return try await signIns.once(name) { () throws(AuthError) in
            let proof =
                autoFill ? try await self.proofByKeyboard(keeper) : try await self.proofBySheet(keeper, name)
            return try await self.twice { () throws(AuthError) in
                try await self.signIn("/auth/passkeys/verify", proof, idempotencyKey: Self.key(proof: proof))
            }
        }
    }

    /// Finishes a sign-in that needs a second factor.
    ///
    /// After a lost response, send the same code again: both requests count as one guess.
    ///
    /// - Parameter token: that of ``AuthError/secondFactorRequired(_:methods:)``. A wrong code leaves it usable.
    /// - Throws: ``AuthError/secondFactorRefused`` if the code is wrong or used, or the first sign-in is too old.
    @available(iOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    @discardableResult
    public func signInWithSecondFactor(
        _ token: MfaToken, _ factor: SecondFactor = .passkey
    ) async throws(AuthError) -> SignIn {
        let (path, begun) = ("/auth/mfa/verify", ["mfaToken": JSONValue?.some(.string(token.text))])
        if let code = factor.member(totp: "code") {
            let proof = begun.merging(code) { $1 }
            return try await signIn(path, proof, idempotencyKey: Self.key(proof: proof))
        }
        let keeper = try passkeyKeeper
        let options = try await engine.api.json(API.Call(method: .post, path: "/auth/mfa/options", body: begun))
        let proof = begun.merging(try await assertion(options, keeper)) { $1 }
        return try await twice { () throws(AuthError) in
            try await self.signIn(path, proof, idempotencyKey: Self.key(proof: proof))
        }
    }

    private func proofBySheet(
        _ keeper: any PasskeyProvider, _ name: String
    ) async throws(AuthError) -> [String: JSONValue?] {
        let options = try await signInOptions()
        openPage.opens(name, at: configuration.clock.now)
        defer { openPage.closes(name) }
        return try await assertion(options, keeper)
    }

    /// Waits for the user to choose a passkey in a text field. They may take longer than a challenge is valid.
    private func proofByKeyboard(_ keeper: any PasskeyProvider) async throws(AuthError) -> [String: JSONValue?] {
        while true {
            let json = try await signInOptions()
            guard let options = PasskeyOptions(json) else { throw .notLatchkey }
            do {
                return try await within(options.patience, configuration.clock) {
                    try await self.assertion(json, keeper, autoFill: true)
                }
            } catch AuthError.timedOut {
                continue
            } catch {
                throw AuthError(passkey: error)
            }
        }
    }

    private func signInOptions() async throws(AuthError) -> JSONValue {
        try await engine.api.json(API.Call(method: .post, path: "/auth/passkeys/options", body: [:]))
    }

    /// Has the user sign the challenge of some options, and returns the members of the proof.
    func assertion(
        _ json: JSONValue, _ keeper: any PasskeyProvider, autoFill: Bool = false
    ) async throws(AuthError) -> [String: JSONValue?] {
        guard let options = PasskeyOptions(json), let request = options.request(autoFill: autoFill) else {
            throw .notLatchkey
        }
        do { return options.members(try await keeper.sign(request).json) } catch { throw AuthError(passkey: error) }
    }

    /// The key of a request with a proof: the same proof has the same key.
    static func key(proof: [String: JSONValue?]) -> String {
        key(String(decoding: JSONText.encode(.object(proof.compactMapValues(\.self))), as: UTF8.self))
    }
}

extension AuthError {
    /// The error of a passkey's keeper.
    init(passkey error: any Error) {
        switch error {
        case let error as AuthError: self = error
        case is CancellationError: self = .cancelled
        default: self = .refused(status: 0, code: "passkey_failed", requestID: nil)
        }
    }
}
