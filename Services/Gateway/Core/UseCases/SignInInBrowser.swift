import InternalAPI

/// Signs a person in with Apple or an OpenID Connect provider in a browser. user-service decides every step; the gateway states at
/// which of its own URLs the provider returns.
struct SignInInBrowser: Sendable {
    /// The code that the browser brought to the app, and the app's secret.
    struct Proof: Sendable {
        /// `apple`, or the provider's name in the policy.
        var provider: String
        var code: String
        var verifier: String
    }

    let user: ServiceClient
    let open: OpenSession

    /// Returns the URL at which the person signs in.
    func begin(_ start: WebSignInStart, _ call: ClientCall) async throws(Refusal) -> String {
        try Self.location(in: try await user.ask(IdentityOperations.begin, start, for: call))
    }

    /// Returns the address of the app to which the browser returns.
    func finish(_ answer: WebSignInReturn, _ call: ClientCall) async throws(Refusal) -> String {
        try Self.location(in: try await user.ask(IdentityOperations.finish, answer, for: call))
    }

    /// Exchanges a code for a session.
    func verify(
        _ proof: Proof, _ wishes: OpenSession.Wishes, _ call: ClientCall
    ) async throws(Refusal) -> OpenSession.SignedIn {
        let key = try call.idempotencyKey()
        let request = SignInCodeRequest(
            provider: proof.provider, code: proof.code, verifier: proof.verifier,
            callID: try call.id(IdentityOperations.redeem.path + " " + proof.provider, user: nil))
        guard case .answer(let answer) = try await user.ask(IdentityOperations.redeem, request, for: call) else {
            throw .invalidMember
        }
        var wishes = wishes
        if wishes.name?.isEmpty ?? true { wishes.name = answer.name }
        return try await open(attestation: try answer.attestation(or: .wrongCode), wishes, key: key, call)
    }

    private static func location(
        in outcome: OperationOutcome<WebSignInAnswer, InvalidRequestOnly>
    ) throws(Refusal) -> String {
        guard case .answer(let answer) = outcome else { throw .invalidMember }
        switch answer.result {
        case .redirected:
            guard let location = answer.location else { throw .unavailable }
            return location
        case .refused: throw .invalidSignIn
        case .off: throw .notFound
        }
    }
}
