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
        try await user.settle(IdentityOperations.begin, start, for: call).location.orUnavailable()
    }

    /// Returns the address of the app to which the browser returns.
    func finish(_ answer: WebSignInReturn, _ call: ClientCall) async throws(Refusal) -> String {
        try await user.settle(IdentityOperations.finish, answer, for: call).location.orUnavailable()
    }

    /// Exchanges a code for a session.
    func verify(
        _ proof: Proof, _ wishes: OpenSession.Wishes, _ call: ClientCall
    ) async throws(Refusal) -> OpenSession.SignedIn {
        let key = try call.idempotencyKey()
        let request = SignInCodeRequest(
            provider: proof.provider, code: proof.code, verifier: proof.verifier,
            callID: try call.id(IdentityOperations.redeem.path + " " + proof.provider, user: nil))
        let answer = try await user.answer(IdentityOperations.redeem, request, for: call)
        if let refusal = answer.refusalOfCode { throw refusal }
        var wishes = wishes
        if wishes.name?.isEmpty ?? true { wishes.name = answer.name }
        return try await open(attestation: try answer.proof.orUnavailable(), wishes, key: key, call)
    }
}

extension IdentityTokenAnswer {
    /// The refusal of a code, which takes the place of an identity token; `nil` if it is valid.
    var refusalOfCode: Refusal? { refusal == .invalidIdentityToken ? .wrongCode : refusal }
}
