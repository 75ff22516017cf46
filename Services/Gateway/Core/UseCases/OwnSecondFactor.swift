import InternalAPI
import WebAuthn

/// Shows and changes the bearer's second factor.
struct OwnSecondFactor: Sendable {
    let user: ServiceClient

    func state(_ call: ClientCall) async throws(Refusal) -> SecondFactorState {
        try await user.answer(SecondFactorOperations.state, NoBody(), for: call)
    }

    /// Creates a secret for an authenticator app.
    func enrol(_ call: ClientCall) async throws(Refusal) -> TOTPEnrolment {
        try await user.settle(SecondFactorOperations.enrol, SecondFactorChange(), for: call).enrolment.orUnavailable()
    }

    /// Turns TOTP on, and returns the recovery codes. If TOTP waits, they come with the time from which it is on.
    func activate(_ code: String, _ call: ClientCall) async throws(Refusal) -> RecoveryCodesReply {
        try Self.codes(
            try await user.settle(SecondFactorOperations.activate, SecondFactorChange(code: code), for: call))
    }

    func remove(_ call: ClientCall) async throws(Refusal) {
        try await user.settle(SecondFactorOperations.remove, SecondFactorChange(), for: call)
    }

    /// Replaces the recovery codes.
    func newRecoveryCodes(_ call: ClientCall) async throws(Refusal) -> RecoveryCodesReply {
        try Self.codes(
            try await user.settle(SecondFactorOperations.newRecoveryCodes, SecondFactorChange(), for: call))
    }

    func require(_ isRequired: Bool, _ call: ClientCall) async throws(Refusal) -> SecondFactorState {
        try await user.settle(SecondFactorOperations.require, SecondFactorChange(required: isRequired), for: call)
        return try await state(call)
    }

    /// Objects to a reset that support has begun.
    func endReset(_ call: ClientCall) async throws(Refusal) {
        _ = try await user.answer(SecondFactorOperations.endReset, NoBody(), for: call)
    }

    private static func codes(_ answer: SecondFactorAnswer) throws(Refusal) -> RecoveryCodesReply {
        RecoveryCodesReply(
            recoveryCodes: try answer.recoveryCodes.orUnavailable(), activeFrom: answer.activeFrom)
    }
}

/// Completes a sign-in by the second factor. user-service seals both factors as one proof, which is then handled like every other.
struct SignInBySecondFactor: Sendable {
    let user: ServiceClient
    let open: OpenSession

    /// Returns the options for a passkey as the second factor.
    func options(_ mfaToken: String, _ call: ClientCall) async throws(Refusal) -> PasskeyOptions {
        let request = SecondFactorOptionsRequest(mfaToken: mfaToken)
        guard let options = try await user.answer(SecondFactorOperations.options, request, for: call).options else {
            throw .secondFactorRefused
        }
        return options
    }

    func callAsFunction(
        _ body: SecondFactorBody, _ wishes: OpenSession.Wishes, _ call: ClientCall
    ) async throws(Refusal) -> OpenSession.SignedIn {
        let key = try call.idempotencyKey()
        let operation = SecondFactorOperations.prove
        let request = ProveSecondFactorRequest(
            mfaToken: body.mfaToken, code: body.code, recoveryCode: body.recoveryCode, passkey: body.passkey,
            callID: try call.id(operation.path, user: nil))
        let answer = try await user.settle(operation, request, for: call)
        return try await open(
            attestation: try answer.attestation.orUnavailable(), wishes, key: key, refusing: .secondFactorRefused, call)
    }
}

/// New recovery codes, which are shown only once.
struct RecoveryCodesReply: Codable {
    let recoveryCodes: [String]
    let activeFrom: Int64?
}

/// The body of `POST /auth/mfa/verify`: a code, a recovery code, or a passkey.
struct SecondFactorBody: Codable {
    let mfaToken: String
    var code: String?
    var recoveryCode: String?
    var challengeId: String?
    var credential: AssertionCredential?
    var deviceName: String?

    var passkey: PresentedPasskey? {
        guard let challengeId, let credential else { return nil }
        return PresentedPasskey(challengeID: challengeId, credential: credential)
    }
}
