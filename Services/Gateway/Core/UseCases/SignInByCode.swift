import InternalAPI

/// Exchanges a one-time code for a session.
struct SignInByCode: Sendable {
    /// The code and the phone number that it was sent to, both as the client wrote them.
    struct Proof: Sendable {
        var phone: String
        var region: String?
        var code: String
    }

    /// How long a lockout is assumed to hold if otp-service does not state it.
    static let lockoutSeconds: Int64 = 3_600

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
        guard case .answer(let answer) = try await otp.ask(OTPOperations.verify, verify, for: call) else {
            throw .invalidMember
        }
        return try await open(attestation: try Self.attestation(in: answer), wishes, key: key, call)
    }

    /// - Throws: the refusal for a code that proves nothing.
    static func attestation(in answer: OTPVerifyAnswer) throws(Refusal) -> String {
        switch answer.result {
        case .approved:
            guard let attestation = answer.attestation else { throw .unavailable }
            return attestation
        case .tooManyAttempts:
            throw .tooManyGuesses(
                answer.limit ?? .lockout, retryAfterSeconds: answer.retryAfterSeconds ?? lockoutSeconds)
        case .invalidPhone: throw .invalidPhone
        case .invalidEmail: throw .invalidEmail
        case .off: throw .notFound
        case .expired: throw .codeExpired
        case .wrongCode, .unknown, .used: throw .wrongCode
        }
    }
}
