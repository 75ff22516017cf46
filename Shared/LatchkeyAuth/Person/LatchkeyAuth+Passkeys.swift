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
        if let domain = await reportedDomain() { await report(passkeys, of: passkeys, domain) }
        return passkeys
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
        let known = domain == nil ? [] : try await listPasskeys()
        let path = "/users/me/passkeys/\(try Self.segment(id))"
        try await authorized(API.Call(method: .delete, path: path, route: "/users/me/passkeys/{id}"))
        if let domain { await report(known.filter { $0.id != id }, of: known, domain) }
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
    /// - Throws: ``AuthError/cancelled`` if the user has closed the sheet, ``AuthError/reauthenticationFailed`` or
    ///   ``AuthError/secondFactorRefused`` if the proof is wrong.
    @available(iOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public func stepUp(_ factor: SecondFactor = .passkey) async throws(AuthError) {
        if let members = factor.member(totp: "totp") {
            return try await reauthenticate(AccountProof(members: members, secret: Self.key(proof: members)))
        }
        let keeper = try passkeyKeeper
        let options = try await authorized(
            API.Call(method: .post, path: "/auth/reauthenticate/options", body: [:]))
        let members = try await assertion(options, keeper)
        let proof = AccountProof(members: members, secret: Self.key(proof: members))
        do throws(AuthError) {
            try await reauthenticate(proof)
        } catch .offline {
            try await reauthenticate(proof)
        }
    }

    // MARK: - The keeper

    /// The keeper of the user's passkeys: the configuration's, or the system's own.
    @available(iOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    var passkeyKeeper: any PasskeyProvider {
        get throws(AuthError) {
            usesPasskeys.withLock { $0 = true }
            if let keeper = configuration.passkeys { return keeper }
            #if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
            return SystemPasskeys()
            #else
            throw .refused(status: 0, code: "no_passkeys", requestID: nil)
            #endif
        }
    }

    /// The keeper, if it takes reports. An extension can report too.
    private var passkeyReports: (any PasskeyProvider)? {
        #if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
        let keeper: (any PasskeyProvider)? = configuration.passkeys ?? SystemPasskeys(over: { nil })
        #else
        let keeper = configuration.passkeys
        #endif
        return keeper?.takesReports == true ? keeper : nil
    }

    /// Sends a new passkey. Its keeper has it already, so a lost connection is tried once more, and a keeper whose passkey the server
    /// refuses is told so.
    func add(
        _ body: [String: JSONValue], _ credentialID: Data, _ relyingParty: String
    ) async throws(AuthError) -> Passkey {
        let (body, key) = (body.mapValues(JSONValue?.some), Self.key(proof: body))
        do throws(AuthError) {
            let json = try await offered { () throws(AuthError) in
                do throws(AuthError) {
                    return try await self.change("/users/me/passkeys", body, key: key)
                } catch .offline {
                    return try await self.change("/users/me/passkeys", body, key: key)
                }
            }
            guard let passkey = Passkey(json) else { throw .notLatchkey }
            return passkey
        } catch {
            if error.isFinal { await passkeyReports?.report(unknown: credentialID, relyingParty: relyingParty) }
            throw error
        }
    }

    /// Does a call of a server whose policy may have no passkeys.
    private func offered(
        _ call: () async throws(AuthError) -> JSONValue
    ) async throws(AuthError) -> JSONValue {
        do throws(AuthError) {
            return try await call()
        } catch .refused(404, "not_found", _) {
            throw .methodNotOffered
        }
    }

    private func listPasskeys() async throws(AuthError) -> [Passkey] {
        let json = try await authorized(API.Call(method: .get, path: "/users/me/passkeys"))
        guard case .array(let passkeys)? = json.members?["passkeys"] else { throw .notLatchkey }
        return passkeys.compactMap { Passkey($0) }
    }

    /// Tells the keeper after a sign-in which passkeys the server accepts, if the app uses them. Nothing waits for it.
    func reportPasskeys() {
        guard usesPasskeys.withLock({ $0 }), passkeyReports != nil else { return }
        Task {
            guard let domain = await reportedDomain() else { return }
            do throws(AuthError) {
                let passkeys = try await listPasskeys()
                await report(passkeys, of: passkeys, domain)
            } catch {
                // The next sign-in brings the next report.
            }
        }
    }

    /// The domain of the passkeys, if their keeper takes reports about it.
    private func reportedDomain() async -> String? {
        guard passkeyReports != nil else { return nil }
        // Without the document there is no report; nothing else depends on it.
        return try? await discover().passkeyDomain
    }

    /// Reports the accepted passkeys for each handle that the user's passkeys have or had.
    private func report(_ accepted: [Passkey], of known: [Passkey], _ relyingParty: String) async {
        guard let keeper = passkeyReports else { return }
        for handle in Set(known.compactMap(\.userHandle)) {
            let ids = accepted.filter { $0.userHandle == handle }.compactMap(\.credentialID)
            await keeper.report(accepted: ids, ofUser: handle, relyingParty: relyingParty)
        }
    }
}

extension AuthError {
    /// Whether the server has refused a new passkey for good.
    fileprivate var isFinal: Bool {
        switch self {
        case .passkeyRefused, .tooManyPasskeys, .methodNotOffered, .refused: true
        default: false
        }
    }
}
