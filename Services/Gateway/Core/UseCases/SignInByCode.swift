import InternalAPI

/// Exchanges a one-time code for a session.
struct SignInByCode: Sendable {
    /// The code and the phone number that it was sent to, both as the client wrote them.
    struct Proof: Sendable {
        var phone: String
        var region: String?
        var code: String
    }

    let otp: ServiceClient
    let signedInUser: SignedInUser
    let open: OpenSession

    func callAsFunction(
        _ proof: Proof, _ wishes: OpenSession.Wishes, _ call: ClientCall
    ) async throws(Refusal) -> OpenSession.SignedIn {
        // The key is read before the code is used, since token-service would refuse the key when it is too late.
        let key = try call.idempotencyKey()
        let user = signedInUser(call.credential)
        let verify = OTPVerify(
            phone: proof.phone, region: proof.region, code: proof.code, purpose: .signIn, dialect: wishes.dialect,
            address: call.address, signedInPhone: user?.phone,
            callID: try call.id(OTPOperations.verify.path, user: user?.userID))
        let answer = try await otp.settle(OTPOperations.verify, verify, for: call)
        return try await open(attestation: try answer.attestation.orUnavailable(), wishes, key: key, call)
    }
}
