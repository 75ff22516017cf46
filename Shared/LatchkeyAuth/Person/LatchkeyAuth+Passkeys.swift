import Foundation

/// The user's passkeys. Adding and removing one needs a recent sign-in or reauthentication.
extension LatchkeyAuth {
    /// Has the user make a passkey by the system's sheet, and adds it to the account.
    ///
    /// - Parameter name: the name in the user's list; `nil` for that of the device.
    /// - Returns: the passkey. With ``Passkey/activeFrom`` it waits, since the user has shown a code only.
    /// - Throws: ``AuthError/cancelled`` if the user has closed the sheet, and ``AuthError/passkeyExists`` if this device has one of
    ///   the account already.
    @available(iOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    @discardableResult
    public func addPasskey(name: String? = nil) async throws(AuthError) -> Passkey {
        let keeper = try passkeyKeeper
        let json = try await offered { () throws(AuthError) in
            try await self.authorized(API.Call(method: .post, path: "/users/me/passkeys/options", body: [:]))
        }
        guard let options = PasskeyOptions(json), let creation = options.creation else { throw .notLatchkey }
        let created: CreatedPasskey
        do { created = try await keeper.create(creation) } catch { throw AuthError(passkey: error) }
        var body = options.members(created.json).compactMapValues(\.self)
        body["name"] = .optional(name ?? configuration.deviceName)
        return try await add(body, created.credentialID, creation.relyingParty)
    }

    /// Lists the user's passkeys, and tells the system which ones the server accepts.
    public func passkeys() async throws(AuthError) -> [Passkey] {
        let passkeys = try await listPasskeys()
        if let domain = await reportedDomain() { await report(passkeys, domain) }
        return passkeys.compactMap(\.self)
    }

    /// Renames a passkey of the list.
    @discardableResult
    public func renamePasskey(_ id: String, name: String) async throws(AuthError) -> Passkey {
        let path = "/users/me/passkeys/\(try Self.segment(id))"
        let json = try await authorized(
            API.Call(method: .patch, path: path, route: "/users/me/passkeys/{id}", body: ["name": .string(name)]))
        guard let passkey = Passkey(json) else { throw .notLatchkey }
        return passkey
    }

    /// Removes a passkey of the list. The sessions that it has opened end, this one included.
    public func removePasskey(_ id: String) async throws(AuthError) {
        // The keeper wants the list without the passkey, and the session may be over after its removal.
        let domain = await reportedDomain()
        let known = domain == nil ? nil : try? await listPasskeys()
        let path = "/users/me/passkeys/\(try Self.segment(id))"
        try await authorized(API.Call(method: .delete, path: path, route: "/users/me/passkeys/{id}"))
        if let domain, let known { await report(known, removed: id, domain) }
        engine.feed { _ in .outdated }
        do throws(AuthError) {
            // The renewal tells whether the session is one of those that have ended.
            _ = try await accessToken()
        } catch {
            // The passkey is removed. The next renewal tells it.
        }
    }

    /// Shows again who the user is by a second factor, which makes the session a strong one (`acr: aal2`).
    ///
    /// A newer access token says so: the next one that is asked for.
    ///
    /// - Throws: ``AuthError/cancelled`` if the user has closed the sheet, ``AuthError/methodNotOffered`` if they have no passkey, and
    ///   ``AuthError/reauthenticationFailed`` or ``AuthError/secondFactorRefused`` if the proof is wrong.
    @available(iOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public func stepUp(_ factor: SecondFactor = .passkey) async throws(AuthError) {
        if let members = factor.member(totp: "totp") {
            return try await reauthenticate(AccountProof(members: members, secret: Self.key(proof: members)))
        }
        let keeper = try passkeyKeeper
        let options = try await offered { () throws(AuthError) in
            try await self.authorized(API.Call(method: .post, path: "/auth/reauthenticate/options", body: [:]))
        }
        let members = try await assertion(options, keeper)
        let proof = AccountProof(members: members, secret: Self.key(proof: members))
        try await twice { () throws(AuthError) in try await self.reauthenticate(proof) }
    }

    /// Sends a new passkey. Its keeper has it already, so a lost connection is tried once more, and a keeper whose passkey the server
    /// refuses is told so.
    func add(
        _ body: [String: JSONValue], _ credentialID: Data, _ relyingParty: String
    ) async throws(AuthError) -> Passkey {
        let (body, key) = (body.mapValues(JSONValue?.some), Self.key(proof: body))
        do throws(AuthError) {
            let json = try await offered { () throws(AuthError) in
                try await self.twice { () throws(AuthError) in
                    try await self.change("/users/me/passkeys", body, key: key)
                }
            }
            guard let passkey = Passkey(json) else { throw .notLatchkey }
            return passkey
        } catch {
            if error.isFinal { await passkeyReports?.report(unknown: credentialID, relyingParty: relyingParty) }
            throw error
        }
    }

    /// Does a call of a server whose policy may have no passkeys or second factors.
    func offered(
        _ call: () async throws(AuthError) -> JSONValue
    ) async throws(AuthError) -> JSONValue {
        do throws(AuthError) {
            return try await call()
        } catch .refused(404, "not_found", _) {
            throw .methodNotOffered
        }
    }

    /// Lists the user's passkeys, with `nil` for each that this release cannot read.
    func listPasskeys() async throws(AuthError) -> [Passkey?] {
        let json = try await offered { () throws(AuthError) in
            try await self.authorized(API.Call(method: .get, path: "/users/me/passkeys"))
        }
        guard case .array(let passkeys)? = json.members?["passkeys"] else { throw .notLatchkey }
        return passkeys.map { Passkey($0) }
    }
}

extension AuthError {
    /// Whether the server has refused a new passkey for good.
    fileprivate var isFinal: Bool {
        switch self {
        case .passkeyRefused, .tooManyPasskeys, .methodNotOffered, .invalid, .refused: true
        default: false
        }
    }
}
