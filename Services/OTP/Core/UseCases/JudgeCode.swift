import CryptoPrimitives
import Delivery
import InternalAPI
import Policies

/// A code that a client presents, once its recipient is known.
struct CodeGuess: Sendable {
    let recipient: Recipient
    let purpose: Purpose
    /// The user that the code is bound to, if any.
    var userID: String?
    let code: String
    /// Whether the code came in a link of ours. Such a code cannot be guessed, so another challenge's link costs no guess.
    var isLink = false
    /// The client's IP address.
    let address: String
    let isVouchedFor: Bool
    let callID: String
}

/// It is unknown whether a code is right. It counts as wrong, and its repeats get the same response.
struct ProviderUndecided: Error, Sendable {
    let retryAfterSeconds: Int64
}

/// Checks a one-time code and attests the identity that it proves. The store counts each guess before the code is compared, by the
/// store itself or by the provider that made it.
struct JudgeCode: Sendable {
    let subjects: CallSubjects
    let store: any ChallengeStore
    /// The keys shared only with user-service.
    let attestationKeys: KeyRing
    /// The operator's trace of each guess; `nil` if there is none.
    var trace: TraceBook?
    /// The provider that makes the codes; `nil` if this service does.
    var provider: AskProvider?
    /// The pace of the provider's last checks. Its answer is the time after which to try again, if the last check had no result.
    var pace = SendPace<Int64?>()
    /// Encrypts identities for the records of long lockouts; `nil` if no account is reviewed for them.
    var lockouts: LockoutSeal?
    let now: @Sendable () -> Int64
    /// Receives the destination of each right code of ours, except for codes that were never sent.
    let approved: @Sendable (String) -> Void

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure` and `ProviderUndecided`, after which nothing is approved.
    func callAsFunction(_ presented: CodeGuess) async throws -> OTPVerifyAnswer {
        guard presented.isLink || canBeCode(presented) else { return try await refuseMalformed(presented) }
        let mayAsk = provider?.enter() ?? false
        defer { if mayAsk { provider?.leave() } }
        var guess = try guess(presented)
        guess.isProviderAway = provider != nil && !mayAsk
        let (verdict, channel) = try await judged(presented, guess)
        let answer = try answer(verdict, presented, guess, channel)
        if presented.recipient != .unknown { trace?.note(.guessed(answer.result), of: guess.subject.recipient) }
        return answer
    }

    /// Whether a right code can look like this, so that a typing error in an empty field costs the number no attempt.
    private func canBeCode(_ presented: CodeGuess) -> Bool {
        let own = subjects.rules.codeLengths(for: presented.recipient.phone, now: now())
        return TypedCode(presented.code).canBeCode(of: own + (provider == nil ? [] : [AskProvider.codeLength]))
    }

    /// Counts the call only for the client's IP address.
    ///
    /// - Throws: `InvalidInput`, unless the address has made too many calls.
    private func refuseMalformed(_ presented: CodeGuess) async throws -> OTPVerifyAnswer {
        var guess = try guess(presented)
        guess.isMalformed = true
        let verdict = try await store.judge(guess)
        guard case .limited = verdict else { throw InvalidInput(member: "code") }
        return try answer(verdict, presented, guess, nil)
    }

    /// Returns the verdict, for which the provider is asked if it makes the codes, and the channel of the provider's code.
    private func judged(
        _ presented: CodeGuess, _ guess: Guess
    ) async throws -> (GuessVerdict, channel: PhoneChannel?) {
        let verdict = try await store.judge(guess)
        guard case .ask(let challenge, let channel) = verdict else {
            // The provider knows nothing of a code that was never sent, which the response must not reveal.
            if provider != nil, verdict == .wrongCode, let retryAfterSeconds = try await pace.echo() ?? nil,
                subjects.rules.isClosed
            {
                throw ProviderUndecided(retryAfterSeconds: retryAfterSeconds)
            }
            return (verdict, nil)
        }
        let word = try await ask(presented, guess)
        var later = guess
        later.subject.now = now()
        return (try await store.settle(later, of: challenge, as: word), channel)
    }

    private func ask(_ presented: CodeGuess, _ guess: Guess) async throws -> ProviderWord {
        // The sender has been changed since, so its codes can no longer be checked.
        guard let provider else { return .gone }
        let start = ContinuousClock.now
        let check = await provider(TypedCode(presented.code).text, of: presented.recipient.destination)
        var retryAfterSeconds: Int64?
        if case .unknown(let failure) = check { retryAfterSeconds = failure.retryAfterSeconds ?? 1 }
        pace.note(ContinuousClock.now - start, retryAfterSeconds, isFailure: retryAfterSeconds != nil)
        switch check {
        case .right: return .right
        case .wrong: return .wrong
        case .usedUp: return .usedUp
        case .gone: return .gone
        case .unknown(let failure):
            trace?.note(.undecided(failure.text), of: guess.subject.recipient)
            throw ProviderUndecided(retryAfterSeconds: retryAfterSeconds ?? 1)
        }
    }

    private func answer(
        _ verdict: GuessVerdict, _ presented: CodeGuess, _ guess: Guess, _ channel: PhoneChannel?
    ) throws -> OTPVerifyAnswer {
        switch verdict {
        case .approved(let challenge, let expiresAt, let reviewEndsAt):
            OTPMetrics.met(
                after: max(0, guess.subject.now - challenge.created),
                by: channel?.rawValue ?? presented.recipient.channel)
            let answer = try attested(challenge, presented, guess, until: expiresAt, reviewEndsAt: reviewEndsAt)
            if reviewEndsAt == nil, channel == nil, !isFixed(presented.recipient, guess) {
                approved(presented.recipient.destination)
            }
            return answer
        case .limited(let rule, let seconds):
            OTPMetrics.limited(by: rule, route: OTPOperations.verify.path)
            return OTPVerifyAnswer(.tooManyAttempts, limit: rule.kindOfGuess, retryAfterSeconds: seconds)
        case .wrongCode: return OTPVerifyAnswer(.wrongCode)
        case .used: return OTPVerifyAnswer(.used)
        case .expired: return OTPVerifyAnswer(.expired)
        case .unknown: return OTPVerifyAnswer(.unknown)
        case .malformed: throw InvalidInput(member: "code")
        case .undecided, .ask: throw ProviderUndecided(retryAfterSeconds: 1)
        case .providerAway: throw ProviderUndecided(retryAfterSeconds: provider?.retryAfterSeconds ?? 1)
        }
    }

    /// Whether the number has a fixed code, which was never sent.
    private func isFixed(_ recipient: Recipient, _ guess: Guess) -> Bool {
        recipient.phone.flatMap { subjects.rules.fixedCode($0, now: guess.subject.now) } != nil
    }

    private func attested(
        _ challenge: ChallengeSeed, _ presented: CodeGuess, _ guess: Guess, until expiresAt: Int64,
        reviewEndsAt: Int64?
    ) throws -> OTPVerifyAnswer {
        let attestation = Attestation(
            proofID: subjects.secrets.attestationID(
                challenge, recipient: presented.recipient.key, place: guess.subject.place.name),
            method: reviewEndsAt == nil ? presented.recipient.channel : Attestation.reviewMethod,
            identity: presented.recipient.identity,
            purpose: presented.purpose, userID: presented.userID, expiresAt: expiresAt, challengedAt: challenge.created,
            accessEndsAt: reviewEndsAt)
        return OTPVerifyAnswer(.approved, attestation: try attestation.sealed(with: attestationKeys))
    }

    /// Returns the guess in the form that the store checks.
    func guess(_ presented: CodeGuess) throws -> Guess {
        let code = TypedCode(presented.code).text
        let place = try subjects.place(of: presented.purpose, presented.userID)
        // The code is part of the call, so that a call cannot be repeated with another code to learn of an earlier one's success.
        let call = CallSubjects.Call(
            place: place, address: presented.address, isVouchedFor: presented.isVouchedFor, callID: presented.callID,
            asking: ["verify", code], now: now())
        var guess = Guess(
            subject: try subjects.subject(ofGuess: call, at: presented.recipient),
            proof: subjects.secrets.proof(code: code, recipient: presented.recipient.key, place: place.name),
            isLink: presented.isLink, sealedIdentity: try sealedIdentity(of: presented.recipient),
            charge: presented.recipient.phone.flatMap { subjects.rules.spend?.approval(for: $0, now: call.now) })
        if !isFixed(presented.recipient, guess) {
            guess.label = presented.recipient.tallyLabel(by: presented.recipient.channel)
        }
        return guess
    }

    private func sealedIdentity(of recipient: Recipient) throws -> [UInt8]? {
        let isReviewed = subjects.rules.otp.lockouts.contains { $0.lockSeconds >= LockoutSeal.reviewedSeconds }
        guard isReviewed, recipient != .unknown else { return nil }
        return try lockouts?.seal(recipient.identity)
    }
}
