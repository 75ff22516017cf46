import InternalAPI

/// Deletes the account of a person without the app. A code goes to their phone number or email address and proves that it is
/// theirs. The code is good for nothing else.
struct DeleteByCode: Sendable {
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

    /// Schedules the deletion for a right code.
    ///
    /// - Returns: the time of the deletion in Unix seconds, or `nil` if the phone number or email address has no account.
    func confirm(_ code: String, of recipient: String, _ call: ClientCall) async throws(Refusal) -> Int64? {
        let attestation = try await verify(code, of: recipient, call).attestation.orUnavailable()
        let answer = try await user.settle(
            UserOperations.deleteByProof, DeleteByProofRequest(attestation: attestation), for: call)
        return answer.result == .unknown ? nil : try answer.dueAt.orUnavailable()
    }

    private func verify(
        _ code: String, of recipient: String, _ call: ClientCall
    ) async throws(Refusal) -> OTPVerifyAnswer {
        guard !Self.isAddress(recipient) else {
            return try await otp.settle(
                OTPOperations.verifyMail,
                MailVerify(
                    email: recipient, code: code, purpose: .deletion, address: call.address,
                    callID: try call.id(OTPOperations.verifyMail.path, user: nil)), for: call)
        }
        return try await otp.settle(
            OTPOperations.verify,
            OTPVerify(
                phone: recipient, region: nil, code: code, purpose: .deletion, address: call.address,
                signedInPhone: nil, callID: try call.id(OTPOperations.verify.path, user: nil)), for: call)
    }

    private static func isAddress(_ recipient: String) -> Bool { recipient.contains("@") }
}
