import InternalAPI

/// Exchanges an address and its password for a session: user-service seals what the password proves, and that goes the way
/// of every other proof. Where nothing more is to be decided user-service has taken the next step already.
struct SignInByPassword: Sendable {
    /// Both as the client wrote them.
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
            callID: key == nil ? nil : try call.id(AccountOperations.prove.path, user: nil))
        guard case .answer(let answer) = try await user.ask(AccountOperations.prove, request, for: call) else {
            throw .invalidMember
        }
        if let refusal = PasswordAccounts.refusal(of: answer) { throw refusal }
        guard let proof = answer.proof else { throw .unavailable }
        do throws(Refusal) {
            return try await open(attestation: proof, resolved: answer.resolved, wishes, key: key, call)
        } catch {
            // The password was changed meanwhile: what it proved is void.
            throw error == .wrongCode ? .invalidCredentials : error
        }
    }
}
