import CryptoPrimitives
import EmailAddresses
import InternalAPI
import Policies

/// Checks the proof from a mail: a code that was typed, or the token of a link with the client's verifier.
struct VerifyMail: Sendable {
    let judge: JudgeCode

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`, after which nothing is approved.
    func callAsFunction(_ request: MailVerify) async throws -> OTPVerifyAnswer {
        let answer =
            switch (request.email, request.code, request.token, request.verifier) {
            case (let email?, let code?, nil, nil): try await typed(code, at: email, request)
            case (nil, nil, let token?, let verifier?): try await followed(token, verifier, request)
            default: throw InvalidInput(member: "token")
            }
        OTPMetrics.verified(answer.result, by: RequestMail.channel, nil)
        return answer
    }

    private func typed(_ code: String, at email: String, _ request: MailVerify) async throws -> OTPVerifyAnswer {
        let address: EmailAddress
        do throws(EmailAddressProblem) { address = try EmailAddress(parsing: email) } catch {
            return OTPVerifyAnswer(.invalidEmail)
        }
        return try await judge(guess(code, at: .email(address), isLink: false, request))
    }

    /// Checks a link. A token that opens identifies its challenge, whose code it represents. One that does not open is no guess,
    /// and counts only for the client's IP address.
    private func followed(_ token: String, _ verifier: String, _ request: MailVerify) async throws -> OTPVerifyAnswer {
        let subjects = judge.subjects
        let place = try subjects.place(of: request.purpose, request.userID).name
        guard let challenge = VerifierChallenge(ofVerifier: verifier),
            let link = LinkToken(opening: token, for: challenge, request.purpose, place: place, by: subjects.secrets)
        else { return try await judge(guess("", at: .unknown, isLink: true, request)) }
        let code = subjects.secrets.code(
            of: link.seed, recipient: link.address.text, place: place, digitCount: subjects.rules.otp.length)
        return try await judge(guess(code, at: .email(link.address), isLink: true, request))
    }

    private func guess(_ code: String, at recipient: Recipient, isLink: Bool, _ request: MailVerify) -> CodeGuess {
        CodeGuess(
            recipient: recipient, purpose: request.purpose, userID: request.userID, code: code, isLink: isLink,
            address: request.address, isVouchedFor: false, callID: request.callID)
    }
}
