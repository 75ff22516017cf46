import InternalAPI

/// Exchanges an email address and its password for a session. user-service seals the identity that the password proves, and the
/// sealed proof is handled like every other. If nothing more is to be decided, user-service has taken the next step already.
struct SignInByPassword: Sendable {
    /// The email address and the password as the client wrote them.
    struct Credentials: Sendable {
        var email: String
        var password: String
    }

    let user: ServiceClient
    let open: OpenSession

    func callAsFunction(
        _ credentials: Credentials, _ wishes: OpenSession.Wishes, _ call: ClientCall
    ) async throws(Refusal) -> OpenSession.SignedIn {
        let key = try call.idempotencyKey()
        let request = PasswordProofRequest(
            email: credentials.email, password: credentials.password, address: call.address,
            callID: key == nil ? nil : try call.id(AccountOperations.prove.path, user: nil),
            origin: call.origin(deviceName: wishes.deviceName))
        let answer = try await user.settle(AccountOperations.prove, request, for: call)
        // If the password was changed meanwhile, its proof is void.
        return try await open(
            attestation: try answer.proof.orUnavailable(), resolved: answer.resolved, wishes, key: key,
            refusing: .invalidCredentials, call)
    }
}
