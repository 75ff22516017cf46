import InternalAPI

/// Exchanges the link or the code of a mail for a session.
struct SignInByMail: Sendable {
    /// The link or the code that the client presents.
    enum Proof: Sendable {
        /// The token of the link, and the secret that the requesting client kept.
        case link(token: String, verifier: String)
        case code(String, email: String)
    }

    let otp: ServiceClient
    let open: OpenSession

    func callAsFunction(
        _ proof: Proof, _ wishes: OpenSession.Wishes, _ call: ClientCall
    ) async throws(Refusal) -> OpenSession.SignedIn {
        // The key is read before the code is used, since token-service would refuse the key when it is too late.
        let key = try call.idempotencyKey()
        let callID = try call.id(OTPOperations.verifyMail.path, user: nil)
        let dialect = wishes.dialect
        let verify =
            switch proof {
            case .link(let token, let verifier):
                MailVerify(
                    token: token, verifier: verifier, purpose: .signIn, dialect: dialect, address: call.address,
                    callID: callID)
            case .code(let code, let email):
                MailVerify(
                    email: email, code: code, purpose: .signIn, dialect: dialect, address: call.address, callID: callID)
            }
        let answer = try await otp.settle(OTPOperations.verifyMail, verify, for: call)
        return try await open(attestation: try answer.attestation.orUnavailable(), wishes, key: key, call)
    }
}
