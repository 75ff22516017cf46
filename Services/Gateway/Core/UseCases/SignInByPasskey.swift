import InternalAPI

/// Exchanges an assertion of a passkey for a session. user-service verifies it and seals what it proves. The sealed proof is
/// then handled like every other.
struct SignInByPasskey: Sendable {
    let user: ServiceClient
    let open: OpenSession

    /// Returns the options of a ceremony without a session.
    func begin(_ ceremony: BeginPasskeyRequest.Ceremony, _ call: ClientCall) async throws(Refusal) -> PasskeyOptions {
        let answer = try await user.answer(PasskeyOperations.begin, BeginPasskeyRequest(ceremony), for: call)
        guard let options = answer.options else { throw .notFound }
        return options
    }

    func callAsFunction(
        _ passkey: PresentedPasskey, _ wishes: OpenSession.Wishes, _ call: ClientCall
    ) async throws(Refusal) -> OpenSession.SignedIn {
        let key = try call.idempotencyKey()
        let request = PasskeyProofRequest(
            passkey: passkey, callID: try call.id(PasskeyOperations.prove.path, user: nil))
        let answer = try await user.answer(PasskeyOperations.prove, request, for: call)
        // A client must not learn which check has failed, nor whether the credential exists (L3 §14.6.2).
        guard answer.result != .refused else { throw .passkeyRefused }
        if let refusal = answer.refusal { throw refusal }
        return try await open(
            attestation: try answer.proof.orUnavailable(), wishes, key: key, refusing: .passkeyRefused, call)
    }
}
