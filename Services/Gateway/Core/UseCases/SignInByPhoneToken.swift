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
        let answer = try await user.settle(IdentityOperations.provePhone, request, for: call)
        // Another call may use the token meanwhile.
        return try await open(
            attestation: try answer.proof.orUnavailable(), wishes, key: key, refusing: .identityTokenUsed, call)
    }
}
