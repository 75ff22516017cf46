import InternalAPI
import PhoneNumbers
import Policies

/// Checks the code that was sent to a phone.
struct VerifyCode: Sendable {
    let judge: JudgeCode

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`, after which nothing is approved.
    func callAsFunction(_ request: OTPVerify) async throws -> OTPVerifyAnswer {
        let rules = judge.subjects.rules
        guard let phone = try rules.requestedPhone(request.phone, region: request.region) else {
            return counted(OTPVerifyAnswer(.invalidPhone), nil)
        }
        let guess = CodeGuess(
            recipient: .phone(phone), purpose: request.purpose, userID: request.userID, code: request.code,
            address: request.address,
            isVouchedFor: request.signedInPhone.flatMap { rules.phone($0, region: nil) } == phone,
            callID: request.callID)
        return counted(try await judge(guess), phone)
    }

    private func counted(_ answer: OTPVerifyAnswer, _ phone: PhoneNumber?) -> OTPVerifyAnswer {
        OTPMetrics.verified(answer.result, by: PhoneChannel.sms.rawValue, phone.map { .phone($0) })
        return answer
    }
}
