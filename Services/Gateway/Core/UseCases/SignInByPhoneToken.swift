import InternalAPI

/// Exchanges a phone token for a session. user-service verifies the token and seals the number that it proves, and the session
/// opens as with a code.
struct SignInByPhoneToken: Sendable {
    /// The phone token and all that the client sends with it.
    struct Proof: Sendable {
        var token: String
        var nonce: String?
    }

    let user: ServiceClient
    let signedInUser: SignedInUser
    let open: OpenSession

    func callAsFunction(
        _ proof: Proof, _ wishes: OpenSession.Wishes, _ call: ClientCall
    ) async throws(Refusal) -> OpenSession.SignedIn {
        let key = try call.idempotencyKey()
        let request = PhoneTokenRequest(
            token: proof.token, nonce: proof.nonce, address: call.address,
            signedInPhone: signedInUser(call.credential)?.phone,
            callID: try call.id(IdentityOperations.provePhone.path, user: nil))
        guard case .answer(let answer) = try await user.ask(IdentityOperations.provePhone, request, for: call) else {
            throw .invalidMember
        }
        let attestation = try Self.attestation(in: answer)
        do throws(Refusal) { return try await open(attestation: attestation, wishes, key: key, call) } catch {
            // Another call used the token a moment ago.
            throw error == .wrongCode ? .identityTokenUsed : error
        }
    }

    /// - Throws: the refusal for a token that proves nothing, or not now.
    static func attestation(in answer: PhoneTokenAnswer) throws(Refusal) -> String {
        switch answer.result {
        case .proved:
            guard let proof = answer.proof else { throw .unavailable }
            return proof
        case .refused: throw .invalidIdentityToken
        case .used: throw .identityTokenUsed
        case .blockedCountry: throw .blockedCountry
        case .tooManyAttempts:
            throw .tooManyGuesses(
                answer.limit ?? .lockout, retryAfterSeconds: answer.retryAfterSeconds ?? SignInByCode.lockoutSeconds)
        case .off: throw .notFound
        }
    }
}
