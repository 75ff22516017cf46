import InternalAPI

/// Signs in with the code or the link of a mail about an account: one that confirms a registration, or that of a forgotten password.
struct SignInByAccountMail: Sendable {
    /// The part of a mail that the client presents.
    enum Proof: Sendable {
        case code(String, email: String)
        /// The token of the link, and the secret that the requesting client kept.
        case link(token: String, verifier: String)
    }

    typealias Operation = InternalOperation<AccountLinkRequest, AccountAnswer, InvalidRequestOnly>

    let user: ServiceClient
    let open: OpenSession

    /// - Parameter operation: `confirm` or `recover`.
    func callAsFunction(
        _ proof: Proof, by operation: Operation, _ wishes: OpenSession.Wishes, _ call: ClientCall
    ) async throws(Refusal) -> OpenSession.SignedIn {
        let key = try call.idempotencyKey()
        var request = AccountLinkRequest(
            signsIn: true, password: nil, address: call.address, callID: try call.id(operation.path, user: nil))
        switch proof {
        case .code(let code, let email): (request.code, request.email) = (code, email)
        case .link(let token, let verifier): (request.token, request.verifier) = (token, verifier)
        }
        let answer = try await user.settle(operation, request, for: call)
        return try await open(attestation: try answer.proof.orUnavailable(), wishes, key: key, call)
    }
}
