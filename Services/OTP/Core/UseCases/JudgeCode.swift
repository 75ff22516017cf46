import CryptoPrimitives
import InternalAPI

/// A code that somebody presents, once it is known for whom.
struct CodeGuess: Sendable {
    let recipient: Recipient
    let purpose: Purpose
    let code: String
    /// The code came in a link of ours: whoever has it cannot guess, so another challenge's link costs no guess.
    var isLink = false
    /// The client's address.
    let address: String
    let isVouchedFor: Bool
    let callID: String
}

/// Checks a one-time code and attests what it proves; the store counts each guess before it compares it.
struct JudgeCode: Sendable {
    let terms: CallTerms
    let store: any ChallengeStore
    /// Shared with user-service alone.
    let attestationKeys: KeyRing
    /// What an operator is told of each guess; nil: nothing is kept.
    var trace: TraceBook?
    let now: @Sendable () -> Int64
    /// Is told where each right code went, but for a reviewer's, which nobody was sent.
    let approved: @Sendable (String) -> Void

    /// - Throws: `InvalidCall`; `ChallengeStoreFailure`, after which nothing is approved.
    func callAsFunction(_ presented: CodeGuess) async throws -> OTPVerifyAnswer {
        let guess = try guess(presented)
        let answer = try await judged(presented, guess)
        if presented.recipient != .nobody { trace?.note(.guessed(answer.result), of: guess.subject.recipient) }
        return answer
    }

    private func judged(_ presented: CodeGuess, _ guess: Guess) async throws -> OTPVerifyAnswer {
        switch try await store.judge(guess) {
        case .approved(let challenge, let expiresAt, let isReview):
            OTPMetrics.met(after: max(0, guess.subject.now - challenge.created), by: presented.recipient.channel)
            let attestation = Attestation(
                proofID: terms.secrets.attestationID(
                    challenge, recipient: presented.recipient.key, place: guess.subject.place.name),
                method: isReview ? Attestation.reviewMethod : presented.recipient.channel,
                identity: presented.recipient.identity,
                purpose: presented.purpose, expiresAt: expiresAt)
            let answer = OTPVerifyAnswer(.approved, attestation: try attestation.sealed(with: attestationKeys))
            if !isReview { approved(presented.recipient.destination) }
            return answer
        case .limited(let rule, let seconds):
            OTPMetrics.limited(by: rule, route: OTPOperations.verify.path)
            return OTPVerifyAnswer(.tooManyAttempts, retryAfterSeconds: seconds)
        case .wrongCode: return OTPVerifyAnswer(.wrongCode)
        case .used: return OTPVerifyAnswer(.used)
        case .expired: return OTPVerifyAnswer(.expired)
        case .unknown: return OTPVerifyAnswer(.unknown)
        }
    }

    private func guess(_ presented: CodeGuess) throws -> Guess {
        let code = TypedCode(presented.code).text
        let place = try terms.place(of: presented.purpose)
        // With the code in it, a call cannot be repeated with another code to hear of an earlier one's success.
        let call = CallTerms.Call(
            place: place, address: presented.address, isVouchedFor: presented.isVouchedFor, callID: presented.callID,
            asking: ["verify", code], now: now())
        return Guess(
            subject: try terms.subject(ofGuess: call, at: presented.recipient),
            proof: terms.secrets.proof(code: code, recipient: presented.recipient.key, place: place.name),
            isLink: presented.isLink,
            charge: presented.recipient.phone.flatMap { terms.rules.spend?.approval(for: $0, now: call.now) })
    }
}
