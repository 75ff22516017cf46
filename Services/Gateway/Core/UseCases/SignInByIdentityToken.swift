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
        guard case .answer(let answer) = try await user.ask(IdentityOperations.prove, request, for: call) else {
            throw .invalidMember
        }
        let attestation = try answer.attestation(or: .invalidIdentityToken)
        do throws(Refusal) { return try await open(attestation: attestation, wishes, key: key, call) } catch {
            // The token was used by another call, or by this one more than a minute ago.
            throw error == .wrongCode ? .identityTokenUsed : error
        }
    }
}

extension IdentityTokenAnswer {
    /// Returns the sealed proof, which `resolve` accepts as an attestation.
    ///
    /// - Parameter refusal: thrown if user-service refuses what was presented.
    func attestation(or refusal: Refusal) throws(Refusal) -> String {
        switch result {
        case .proved:
            guard let proof else { throw .unavailable }
            return proof
        case .refused: throw refusal
        case .off: throw .notFound
        }
    }
}
