import InternalAPI

/// Deletes the account of a person without the app. A code goes to their phone number or email address and proves that it is
/// theirs. The code is good for nothing else.
struct DeleteByCode: Sendable {
    /// The result of a right code.
    enum Result: Sendable, Equatable {
        /// - dueAt: the time of the deletion, in Unix seconds.
        case scheduled(dueAt: Int64)
        /// The phone number or email address has no account.
        case unknown
    }

    let otp: ServiceClient
    let user: ServiceClient
    let requestCode: RequestCode
    let requestMail: RequestMail

    /// Sends the code, whether there is an account or not.
    ///
    /// - Parameters:
    ///   - recipient: a phone number with its calling code, or an email address.
    ///   - dialect: the dialect whose rules apply to the code.
    ///   - locales: language tags, best first.
    func request(
        _ recipient: String, in dialect: String, locales: [String], _ call: ClientCall
    ) async throws(Refusal) {
        guard !Self.isAddress(recipient) else {
            return try await requestMail(
                RequestMail.Order(email: recipient, challenge: nil, locales: locales, purpose: .deletion), call)
        }
        try await requestCode(
            RequestCode.Order(
                dialect: dialect, phone: recipient, locale: locales.first, purpose: .deletion), call)
    }

    func confirm(_ code: String, of recipient: String, _ call: ClientCall) async throws(Refusal) -> Result {
        let attestation = try SignInByCode.attestation(in: try await verify(code, of: recipient, call))
        let request = DeleteByProofRequest(attestation: attestation)
        guard case .answer(let answer) = try await user.ask(UserOperations.deleteByProof, request, for: call) else {
            throw .invalidMember
        }
        switch answer.result {
        case .scheduled:
            guard let dueAt = answer.dueAt else { throw .unavailable }
            return .scheduled(dueAt: dueAt)
        case .unknown: return .unknown
        case .inactive: throw .accountInactive
        case .attestationRefused: throw .wrongCode
        }
    }

    private func verify(
        _ code: String, of recipient: String, _ call: ClientCall
    ) async throws(Refusal) -> OTPVerifyAnswer {
        let outcome: OperationOutcome<OTPVerifyAnswer, InvalidRequestOnly>
        if Self.isAddress(recipient) {
            outcome = try await otp.ask(
                OTPOperations.verifyMail,
                MailVerify(
                    email: recipient, code: code, purpose: .deletion, address: call.address,
                    callID: try call.id(OTPOperations.verifyMail.path, user: nil)), for: call)
        } else {
            outcome = try await otp.ask(
                OTPOperations.verify,
                OTPVerify(
                    phone: recipient, region: nil, code: code, purpose: .deletion, address: call.address,
                    signedInPhone: nil, callID: try call.id(OTPOperations.verify.path, user: nil)), for: call)
        }
        guard case .answer(let answer) = outcome else { throw .invalidMember }
        return answer
    }

    private static func isAddress(_ recipient: String) -> Bool { recipient.contains("@") }
}
