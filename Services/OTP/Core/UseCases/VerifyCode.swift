import CryptoPrimitives
import InternalAPI
import PhoneNumbers

/// Checks a one-time code and attests the phone; the store counts each guess before it compares it.
struct VerifyCode: Sendable {
    let terms: CallTerms
    let store: any ChallengeStore
    /// Shared with user-service alone.
    let attestationKeys: KeyRing
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidCall`; `ChallengeStoreFailure`, after which nothing is approved.
    func callAsFunction(_ request: OTPVerify) async throws -> OTPVerifyAnswer {
        guard let phone = terms.rules.phone(request.phone, region: request.region) else {
            return counted(OTPVerifyAnswer(.invalidPhone), phone: nil)
        }
        let guess = try guess(request, phone)
        let answer = try answer(try await store.judge(guess), to: guess, request.purpose, phone)
        return counted(answer, phone: phone)
    }

    private func guess(_ request: OTPVerify, _ phone: PhoneNumber) throws -> Guess {
        let code = TypedCode(request.code).text
        let place = try terms.place(of: request.purpose)
        // With the code in it, a call cannot be repeated with another code to hear of an earlier one's success.
        let call = CallTerms.Call(
            place: place, address: request.address, signedInPhone: request.signedInPhone,
            callID: request.callID, asking: ["verify", code], now: now())
        let proof = terms.secrets.proof(code: code, phone: phone.handset, place: place.name)
        return Guess(subject: try terms.subject(ofGuess: call, at: phone), proof: proof)
    }

    private func answer(
        _ verdict: GuessVerdict, to guess: Guess, _ purpose: Purpose, _ phone: PhoneNumber
    ) throws -> OTPVerifyAnswer {
        switch verdict {
        case .approved(let challenge, let expiresAt):
            let attestation = Attestation(
                proofID: terms.secrets.attestationID(
                    challenge, phone: phone.handset, place: guess.subject.place.name),
                method: CallTerms.channel, identity: .phone(phone.e164), purpose: purpose, expiresAt: expiresAt)
            return OTPVerifyAnswer(.approved, attestation: try attestation.sealed(with: attestationKeys))
        case .limited(let rule, let seconds):
            OTPMetrics.limited(by: rule, route: OTPOperations.verify.path)
            return OTPVerifyAnswer(.tooManyAttempts, retryAfterSeconds: seconds)
        case .wrongCode: return OTPVerifyAnswer(.wrongCode)
        case .used: return OTPVerifyAnswer(.used)
        case .expired: return OTPVerifyAnswer(.expired)
        case .unknown: return OTPVerifyAnswer(.unknown)
        }
    }

    private func counted(_ answer: OTPVerifyAnswer, phone: PhoneNumber?) -> OTPVerifyAnswer {
        OTPMetrics.verified(answer.result, phone: phone)
        return answer
    }
}
