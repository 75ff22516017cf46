import InternalAPI

/// Exchanges an identity token of Apple or an OpenID Connect provider for a session. user-service verifies the token and seals the
/// identity that it proves. The sealed proof is then handled like every other.
struct SignInByIdentityToken: Sendable {
    /// The identity token and all that the client sends with it.
    struct Proof: Sendable {
        /// `apple`, or the provider's name in the policy.
        var provider: String
        var token: String
        var nonce: String?
        /// Apple's authorization code.
        var authorizationCode: String?
    }

    let user: ServiceClient
    let open: OpenSession

    func callAsFunction(
        _ proof: Proof, _ wishes: OpenSession.Wishes, _ call: ClientCall
    ) async throws(Refusal) -> OpenSession.SignedIn {
        let key = try call.idempotencyKey()
        let request = IdentityTokenRequest(
            provider: proof.provider, token: proof.token, nonce: proof.nonce,
            callID: try call.id(IdentityOperations.prove.path + " " + proof.provider, user: nil),
            authorizationCode: proof.authorizationCode)
        let answer = try await user.settle(IdentityOperations.prove, request, for: call)
        // The token may have been used by another call, or by this one more than a minute ago.
        return try await open(
            attestation: try answer.proof.orUnavailable(), wishes, key: key, refusing: .identityTokenUsed, call)
    }
}
