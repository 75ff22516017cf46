public import Foundation

/// The identities that sign the user in. Each change needs a recent sign-in or reauthentication.
extension LatchkeyAuth {
    /// Lists what signs the user in.
    public func identities() async throws(AuthError) -> Identities {
        let json = try await authorized(API.Call(method: .get, path: "/users/me/identities"))
        guard case .array(let identities)? = json.members?["identities"] else { throw .notLatchkey }
        return Identities(
            identities: identities.compactMap(Identity.init),
            hasPassword: json.members?["hasPassword"] == .boolean(true),
            pendingPhone: PendingPhone(json.members?["pendingPhone"]),
            pendingMerge: PendingMerge(json.members?["pendingMerge"]))
    }

    /// Has a code sent to a phone number or an email address that the user wants to sign in with.
    ///
    /// After a lost response, call it again with the same prepared code: both requests send one message.
    ///
    /// - Parameter prepared: the result of ``prepareCode(phone:region:channel:locale:)`` or ``prepareCode(email:locale:)``.
    /// - Returns: what was passed.
    @discardableResult
    public func requestIdentityCode(_ prepared: PendingCode) async throws(AuthError) -> PendingCode {
        try await change("\(prepared.identityPath)/request", prepared.request, key: prepared.requestKey)
        return prepared
    }

    /// Adds the phone number or email address to which a code went, in place of the one that the user had.
    /// - Throws: ``AuthError/codeRefused`` if the code is wrong or too old.
    public func addIdentity(_ pending: PendingCode, code: String) async throws(AuthError) {
        let digits = PendingCode.digits(of: code)
        let body = pending.receiver.merging(["code": .string(digits)]) { $1 }
        try await changeIdentity(pending.identityPath, body, key: pending.attemptKey(digits))
    }

    /// Adds the phone number of a phone token, in place of the one that the user had.
    public func addPhoneToken(_ token: String, nonce: String? = nil) async throws(AuthError) {
        let body: [String: JSONValue?] = ["token": .string(token), "nonce": .optional(nonce)]
        try await changeIdentity("/users/me/phone", body, key: Self.key(token))
    }

    /// Adds an account at Apple, in place of the one that the user had.
    public func addApple(_ credential: AppleCredential) async throws(AuthError) {
        let body: [String: JSONValue?] = [
            "identityToken": .string(credential.identityToken), "nonce": .optional(credential.nonce),
            "authorizationCode": .optional(credential.authorizationCode),
        ]
        try await changeIdentity("/users/me/identities/apple", body, key: Self.key(credential.identityToken))
    }

    /// Adds an account at an OpenID Connect provider, in place of the one that the user had there.
    public func addProvider(
        _ provider: String, identityToken: String, nonce: String? = nil
    ) async throws(AuthError) {
        guard Self.isProviderName(provider) else { throw .invalid(field: "provider", code: "invalid_provider") }
        let body: [String: JSONValue?] = ["identityToken": .string(identityToken), "nonce": .optional(nonce)]
        try await changeIdentity("/users/me/identities/oidc/\(provider)", body, key: Self.key(identityToken))
    }

    /// Removes an identity of the list.
    /// - Throws: ``AuthError/lastIdentity`` if the user could not sign in any more.
    public func removeIdentity(_ id: String) async throws(AuthError) {
        let path = "/users/me/identities/"
        try await changeIdentity(path + (try Self.segment(id)), route: "\(path){id}")
    }

    /// Sets the password of a user who has an email address.
    public func setPassword(_ password: String) async throws(AuthError) {
        try await changeIdentity("/users/me/password", ["password": .string(password)])
    }

    /// Removes the password.
    public func removePassword() async throws(AuthError) {
        try await changeIdentity("/users/me/password")
    }

    /// Cancels a change of the phone number that support has begun.
    public func cancelPhoneChange() async throws(AuthError) {
        try await authorized(API.Call(method: .delete, path: "/users/me/phone/pending"))
    }

    /// Has a code sent to a phone number or email address of the other account, as a proof for
    /// ``merge(_:keepPhone:proof:)``.
    public func requestMergeCode(
        _ token: MergeToken, channel: ProofChannel? = nil, locale: Locale? = nil
    ) async throws(AuthError) {
        let body = Self.codeRequest(channel, locale).merging(["mergeToken": .string(token.text)]) { $1 }
        try await change("/users/me/merge/request", body)
    }

    /// Joins the account that has an identity to this one.
    ///
    /// - Parameters:
    ///   - token: that of ``AuthError/identityInUse(_:)``.
    ///   - keepPhone: the phone number that stays, if both accounts have one.
    ///   - proof: a proof that the other account is the user's, after ``AuthError/mergeProofRequired(methods:)``.
    public func merge(
        _ token: MergeToken, keepPhone: KeptPhone = .own, proof: AccountProof? = nil
    ) async throws(AuthError) {
        try await changeIdentity(
            "/users/me/merge", Self.mergeBody(token, keepPhone, proof?.members ?? [:]),
            key: Self.key("\(token.text) \(proof?.secret ?? "")"))
    }

    /// Joins the account as ``merge(_:keepPhone:proof:)`` does, but needs no proof of it: where the server wants one, the merge
    /// waits, and the users of both accounts are told and can stop it by ``cancelMerge()``.
    /// - Returns: the time of the merge, or `nil` if it is done.
    @discardableResult
    public func mergeLater(_ token: MergeToken, keepPhone: KeptPhone = .own) async throws(AuthError) -> Date? {
        let body = Self.mergeBody(token, keepPhone, ["wait": .boolean(true)])
        let response = try await change("/users/me/merge", body, key: Self.key("\(token.text) later"))
        if let seconds = response.members?["movesAt"]?.whole { return Date(unixSeconds: seconds) }
        await changed(response)
        return nil
    }

    /// Stops a merge that waits, in either account.
    public func cancelMerge() async throws(AuthError) {
        try await authorized(API.Call(method: .delete, path: "/users/me/merge/pending"))
    }

    private static func mergeBody(
        _ token: MergeToken, _ keepPhone: KeptPhone, _ more: [String: JSONValue?]
    ) -> [String: JSONValue?] {
        let kept = keepPhone == .other ? keepPhone.rawValue : nil
        return more.merging(["mergeToken": .string(token.text), "keepPhone": .optional(kept)]) { $1 }
    }

    /// Changes what signs the user in.
    func changeIdentity(
        _ path: String, route: String? = nil, _ body: [String: JSONValue?]? = nil, key: String = RandomBytes.token()
    ) async throws(AuthError) {
        await changed(try await change(path, route: route, body, key: key))
    }

    /// Follows a change. The response may say that the session is over; else token and profile are read again.
    private func changed(_ response: JSONValue) async {
        if response.members?["signedOut"] == .boolean(true) { return engine.feed { _ in .over(.ended) } }
        engine.feed { _ in .outdated }
        do throws(AuthError) {
            try await reloadUser()
        } catch {
            // The change is made. The profile comes with the next reading.
        }
    }
}

extension PendingCode {
    /// The path by which the receiver becomes an identity.
    fileprivate var identityPath: String {
        switch destination {
        case .phone: "/users/me/phone"
        case .email: "/users/me/email"
        }
    }
}
