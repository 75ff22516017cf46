/// The keeper of the user's passkeys, and what it is told.
extension LatchkeyAuth {
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
    var passkeyReports: (any PasskeyProvider)? {
        #if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
        let keeper: (any PasskeyProvider)? = configuration.passkeys ?? SystemPasskeys(over: { nil })
        #else
        let keeper = configuration.passkeys
        #endif
        return keeper?.takesReports == true ? keeper : nil
    }

    /// Tells the keeper after a sign-in which passkeys the server accepts, if the app uses them. Nothing waits for it.
    func reportPasskeys() {
        guard usesPasskeys.withLock({ $0 }), passkeyReports != nil else { return }
        Task {
            guard let domain = await reportedDomain() else { return }
            do throws(AuthError) {
                await report(try await listPasskeys(), domain)
            } catch {
                // The next sign-in brings the next report.
            }
        }
    }

    /// The domain of the passkeys, if their keeper takes reports about it.
    func reportedDomain() async -> String? {
        guard passkeyReports != nil else { return nil }
        // Without the document there is no report; nothing else depends on it.
        return try? await discover().passkeyDomain
    }

    /// Reports the accepted passkeys for each handle that the user's passkeys have or had.
    ///
    /// The keeper hides or deletes all others, so nothing is reported unless the list is whole.
    func report(_ known: [Passkey?], removed: String? = nil, _ relyingParty: String) async {
        guard let keeper = passkeyReports, known.allSatisfy({ $0?.credentialID != nil && $0?.userHandle != nil }) else {
            return
        }
        let passkeys = known.compactMap(\.self)
        for handle in Set(passkeys.compactMap(\.userHandle)) {
            let accepted = passkeys.filter { $0.userHandle == handle && $0.id != removed }.compactMap(\.credentialID)
            await keeper.report(accepted: accepted, ofUser: handle, relyingParty: relyingParty)
        }
    }
}
