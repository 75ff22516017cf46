import CryptoPrimitives
import Delivery
import InternalAPI
import Policies

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

/// Nobody knows whether a code is right: it counts as wrong, and the same answer comes to its repeats.
struct ProviderUndecided: Error, Sendable {
    let retryAfterSeconds: Int64
}

/// Checks a one-time code and attests what it proves; the store counts each guess before it, or the provider that has made the
/// code, compares it.
struct JudgeCode: Sendable {
    let subjects: CallSubjects
    let store: any ChallengeStore
    /// Shared with user-service alone.
    let attestationKeys: KeyRing
    /// What an operator is told of each guess; nil: nothing is kept.
    var trace: TraceBook?
    /// The provider that makes the codes; nil: we do.
    var provider: AskProvider?
    /// How the provider's last checks went; the answer is when to try again after one that said nothing.
    var pace = SendPace<Int64?>()
    let now: @Sendable () -> Int64
    /// Is told where each right code of ours went, but for those that nobody was sent.
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
        if presented.recipient != .nobody { trace?.note(.guessed(answer.result), of: guess.subject.recipient) }
        return answer
    }

    /// Whether a right code can look like this: a typing error in an empty field must not cost the number an attempt.
    private func canBeCode(_ presented: CodeGuess) -> Bool {
        let own = subjects.rules.codeLengths(for: presented.recipient.phone, now: now())
        return TypedCode(presented.code).canBeCode(of: own + (provider == nil ? [] : [AskProvider.codeLength]))
    }

    /// Counts the call for the client's address only.
    ///
    /// - Throws: `InvalidInput`, unless the address has made too many.
    private func refuseMalformed(_ presented: CodeGuess) async throws -> OTPVerifyAnswer {
        var guess = try guess(presented)
        guess.isMalformed = true
        let verdict = try await store.judge(guess)
        guard case .limited = verdict else { throw InvalidInput(member: "code") }
        return try answer(verdict, presented, guess, nil)
    }

    /// The verdict, after the provider was asked where it makes the codes, and the channel that its code went by.
    private func judged(
        _ presented: CodeGuess, _ guess: Guess
    ) async throws -> (GuessVerdict, channel: PhoneChannel?) {
        let verdict = try await store.judge(guess)
        guard case .ask(let challenge, let channel) = verdict else {
            // Of what nobody was sent the provider knows nothing: that must not show.
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
        // The sender has been changed since: nobody can be asked about its codes any more.
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
        case .approved(let challenge, let expiresAt, let isReview):
            OTPMetrics.met(
                after: max(0, guess.subject.now - challenge.created),
                by: channel?.rawValue ?? presented.recipient.channel)
            let answer = try attested(challenge, presented, guess, until: expiresAt, isReview: isReview)
            if !isReview, channel == nil, !isFixed(presented.recipient, guess) {
                approved(presented.recipient.destination)
            }
            return answer
        case .limited(let rule, let seconds):
            OTPMetrics.limited(by: rule, route: OTPOperations.verify.path)
            return OTPVerifyAnswer(.tooManyAttempts, retryAfterSeconds: seconds)
        case .wrongCode: return OTPVerifyAnswer(.wrongCode)
        case .used: return OTPVerifyAnswer(.used)
        case .expired: return OTPVerifyAnswer(.expired)
        case .unknown: return OTPVerifyAnswer(.unknown)
        case .malformed: throw InvalidInput(member: "code")
        case .undecided, .ask: throw ProviderUndecided(retryAfterSeconds: 1)
        case .providerAway: throw ProviderUndecided(retryAfterSeconds: provider?.retryAfterSeconds ?? 1)
        }
    }

    /// Whether the number always has one code, so that nobody was sent it.
    private func isFixed(_ recipient: Recipient, _ guess: Guess) -> Bool {
        recipient.phone.flatMap { subjects.rules.fixedCode($0, now: guess.subject.now) } != nil
    }

    private func attested(
        _ challenge: ChallengeSeed, _ presented: CodeGuess, _ guess: Guess, until expiresAt: Int64, isReview: Bool
    ) throws -> OTPVerifyAnswer {
        let attestation = Attestation(
            proofID: subjects.secrets.attestationID(
                challenge, recipient: presented.recipient.key, place: guess.subject.place.name),
            method: isReview ? Attestation.reviewMethod : presented.recipient.channel,
            identity: presented.recipient.identity,
            purpose: presented.purpose, expiresAt: expiresAt, challengedAt: challenge.created)
        return OTPVerifyAnswer(.approved, attestation: try attestation.sealed(with: attestationKeys))
    }

    /// The guess as the store judges it.
    func guess(_ presented: CodeGuess) throws -> Guess {
        let code = TypedCode(presented.code).text
        let place = try subjects.place(of: presented.purpose)
        // With the code in it, a call cannot be repeated with another code to hear of an earlier one's success.
        let call = CallSubjects.Call(
            place: place, address: presented.address, isVouchedFor: presented.isVouchedFor, callID: presented.callID,
            asking: ["verify", code], now: now())
        return Guess(
            subject: try subjects.subject(ofGuess: call, at: presented.recipient),
            proof: subjects.secrets.proof(code: code, recipient: presented.recipient.key, place: place.name),
            isLink: presented.isLink,
            charge: presented.recipient.phone.flatMap { subjects.rules.spend?.approval(for: $0, now: call.now) })
    }
}
