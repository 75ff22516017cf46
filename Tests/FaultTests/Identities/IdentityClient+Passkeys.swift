import InternalAPI
import TestSupport

/// A user's passkey on a device.
struct HeldPasskey: Sendable {
    let authenticator: SoftwareAuthenticator
    /// `nil` if its addition was refused.
    let id: String?

    /// Names it in histories.
    var name: String { "passkey \(authenticator.credentialID.prefix(4).map { "\($0)" }.joined(separator: "."))" }
}

/// The secret and the recovery codes of a user's second factor.
struct HeldSecondFactor: Sendable {
    let secret: String
    let recoveryCodes: [String]
}

/// Passkeys and second factors.
extension IdentityClient {
    private static let address = "127.0.0.1"

    /// Adds a passkey.
    func addPasskey(_ session: Session) async throws -> HeldPasskey? {
        let answer = try await call(PasskeyOperations.beginOwn.path, BeginOwnPasskeyRequest(kind: .passkey), session)
        guard answer.status == 200, let options = try answer.decoded(PasskeyOptionsAnswer.self).options else {
            return nil
        }
        let authenticator = try SoftwareAuthenticator(for: options)
        let request = try authenticator.registration(for: options)
        var begun = begun(.addPasskey, session)
        begun.passkey = HeldPasskey(authenticator: authenticator, id: nil).name
        var id: String?
        await recorder.record(begun) { _ in
            let answer = try await own(PasskeyOperations.addOwn.path, request, session)
            id = answer?.passkey?.id
            return Self.outcome(answer)
        }
        return HeldPasskey(authenticator: authenticator, id: id)
    }

    /// Removes a passkey of the session's user, or of another one, which is refused.
    func removePasskey(_ passkey: HeldPasskey, _ session: Session) async {
        guard let id = passkey.id else { return }
        var begun = begun(.removePasskey, session)
        begun.passkey = passkey.name
        let request = RemovePasskeyRequest(id: id, callID: CallID.random())
        await recorder.record(begun) { _ in
            Self.outcome(try await own(PasskeyOperations.removeOwn.path, request, session))
        }
    }

    /// Presents one assertion by two calls at once; returns the session that it opens.
    func signIn(by passkey: HeldPasskey) async throws -> Session? {
        let answer = try await user(PasskeyOperations.begin.path, BeginPasskeyRequest(.signIn))
        guard let options = try answer.decoded(PasskeyOptionsAnswer.self).options else { return nil }
        let assertion = try passkey.authenticator.assertion(for: options)
        async let first = present(assertion, passkey)
        async let second = present(assertion, passkey)
        let sessions = try await [first, second]
        return sessions.compactMap { $0 }.first
    }

    private func present(_ assertion: PresentedPasskey, _ passkey: HeldPasskey) async throws -> Session? {
        let request = PasskeyProofRequest(passkey: assertion, callID: CallID.random())
        var begun = IdentityOperation(.signIn)
        (begun.passkey, begun.credential) = (passkey.name, assertion.challengeID)
        var session: Session?
        await recorder.record(begun) { operation in
            let proved = try await user(PasskeyOperations.prove.path, request).decoded(IdentityTokenAnswer.self)
            guard let proof = proved.proof else { return .refused }
            let answer = try await user(
                UserOperations.resolve.path, ResolveRequest(attestation: proof, name: nil, newAccount: nil))
            guard answer.status == 200 else { return .refused }
            let resolved = try answer.decoded(ResolveAnswer.self)
            session = try await opened(resolved)
            operation.session = session?.id
            return .reached(resolved.user.id, isNew: resolved.isNewUser)
        }
        return session
    }

    /// Turns one-time passwords on; `nil` if the response is lost or the user has them.
    func enrol(_ session: Session) async throws -> HeldSecondFactor? {
        let enrolled = try await call(SecondFactorOperations.enrol.path, SecondFactorChange(), session)
        guard enrolled.status == 200,
            let secret = try enrolled.decoded(SecondFactorAnswer.self).enrolment?.secret
        else { return nil }
        let change = SecondFactorChange(code: AuthenticatorApp.code(secret))
        let activated = try await call(SecondFactorOperations.activate.path, change, session)
        guard activated.status == 200, let codes = try activated.decoded(SecondFactorAnswer.self).recoveryCodes else {
            return nil
        }
        return HeldSecondFactor(secret: secret, recoveryCodes: codes)
    }

    /// Presents a code by two calls at once.
    ///
    /// - Parameter place: selects one of the next one-time password and the recovery codes.
    func useCode(_ place: Int, of factor: HeldSecondFactor, _ session: Session) async {
        let index = place % (factor.recoveryCodes.count + 1) - 1
        let totp = index < 0 ? AuthenticatorApp.code(factor.secret, step: 1) : nil
        let recovery = index < 0 ? nil : factor.recoveryCodes[index]
        async let first: Void = useCode(totp, recovery, session)
        async let second: Void = useCode(totp, recovery, session)
        _ = await (first, second)
    }

    private func useCode(_ totp: String?, _ recoveryCode: String?, _ session: Session) async {
        let request = ReauthenticateRequest(
            totp: totp, recoveryCode: recoveryCode, address: Self.address, callID: CallID.random())
        var begun = begun(.useCode, session)
        begun.credential = totp ?? recoveryCode
        await recorder.record(begun) { _ in
            let answer = try await call(UserOperations.reauthenticate.path, request, session)
            guard answer.status == 200 else { return .refused }
            return try answer.decoded(ReauthenticateAnswer.self).result == .authenticated ? .accepted : .refused
        }
    }
}
