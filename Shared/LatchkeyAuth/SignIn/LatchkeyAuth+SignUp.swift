public import Foundation

/// Signing up in the system's sheet for a new account, which gives a phone number, a name and a passkey at once.
extension LatchkeyAuth {
    /// Opens the sheet, and has a code sent to the phone number that the user enters there.
    ///
    /// The number is not verified before ``finishSignUp(_:code:)``. Only iOS, macOS and visionOS 26 have the sheet, and the server's
    /// policy has to allow it (`passkeys.signUp`).
    ///
    /// - Returns: `nil` if there is no sheet, or the user has closed it: show your own form.
    @available(iOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public func signUp(locale: Locale? = nil) async throws(AuthError) -> PendingSignUp? {
        let keeper = try passkeyKeeper
        let json = try await engine.api.json(
            API.Call(method: .post, path: "/auth/passkeys/signup/options", body: [:]))
        guard let options = PasskeyOptions(json), let creation = options.creation else { throw .notLatchkey }
        guard let account = try await account(creation, keeper) else { return nil }
        do throws(AuthError) {
            return PendingSignUp(
                code: try await requestCode(prepareCode(phone: account.phone, locale: locale)), name: account.name,
                relyingParty: creation.relyingParty, credentialID: account.passkey.credentialID,
                passkey: options.members(account.passkey.json).compactMapValues(\.self))
        } catch {
            // The user begins again, with another passkey.
            await passkeyReports?.report(
                unknown: account.passkey.credentialID, relyingParty: creation.relyingParty)
            throw error
        }
    }

    /// Signs in with the code of a sign-up, and adds the passkey.
    ///
    /// A passkey that cannot be added does not undo the sign-in: the user is signed in without one.
    ///
    /// - Throws: ``AuthError/codeRefused(_:)`` if the code is wrong or too old. After
    ///   ``AuthError/secondFactorRequired(_:methods:)`` call ``signInWithSecondFactor(_:_:)``, then ``addPasskey(of:)``.
    @discardableResult
    public func finishSignUp(_ pending: PendingSignUp, code: String) async throws(AuthError) -> SignIn {
        let signIn = try await signIn(pending.code, code: code, name: pending.name)
        do throws(AuthError) {
            try await addPasskey(of: pending)
        } catch {
            // The user can add one later.
        }
        return signIn
    }

    /// Adds the passkey of a sign-up to the user's account.
    @discardableResult
    public func addPasskey(of pending: PendingSignUp) async throws(AuthError) -> Passkey {
        try await add(pending.passkey, pending.credentialID, pending.relyingParty)
    }

    /// Gives up a sign-up whose code the user does not enter, so that the system does not offer a passkey that never worked.
    public func cancelSignUp(_ pending: PendingSignUp) async {
        await passkeyReports?.report(unknown: pending.credentialID, relyingParty: pending.relyingParty)
    }

    private func account(
        _ creation: PasskeyCreation, _ keeper: any PasskeyProvider
    ) async throws(AuthError) -> PasskeyAccount? {
        do {
            return try await keeper.createAccount(creation)
        } catch {
            // A cancelled task is another thing than a closed sheet.
            guard AuthError(passkey: error) == .cancelled, !Task.isCancelled else { throw AuthError(passkey: error) }
            return nil
        }
    }
}
