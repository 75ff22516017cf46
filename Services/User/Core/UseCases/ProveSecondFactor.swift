import CryptoPrimitives
import InternalAPI
import WebAuthn

/// Verifies the second factor of a sign-in, and seals both factors as one proof that `resolve` accepts.
struct ProveSecondFactor: Sendable {
    let check: SecondFactorCheck
    let tickets: SecondFactorTicketSeal
    let tags: CallTags
    let proofKeys: KeyRing
    /// `nil` if the policy has no passkeys.
    var passkeys: (begin: BeginPasskey, judge: StepUpByPasskey)?

    /// Returns the options for a passkey; none if the token is not valid, or the user has no passkey.
    func options(_ request: SecondFactorOptionsRequest) async throws -> PasskeyOptionsAnswer {
        guard let passkeys, let ticket = tickets.open(request.mfaToken, now: check.act.now()) else {
            return PasskeyOptionsAnswer(nil)
        }
        let read = try await check.act.facts(.identities(ticket.second.user), nil)
        guard let user = read.holder, user.isActive, user.epoch == ticket.second.epoch else {
            return PasskeyOptionsAnswer(nil)
        }
        return PasskeyOptionsAnswer(
            try passkeys.begin.options(.secondFactor, of: user, read, proofID: ticket.proof.id))
    }

    /// - Throws: `InvalidInput` unless there is exactly one factor; `StorageError`.
    func callAsFunction(
        _ request: ProveSecondFactorRequest, requestID: String?
    ) async throws -> ProveSecondFactorAnswer {
        let now = check.act.now()
        guard let ticket = tickets.open(request.mfaToken, now: now) else { return ProveSecondFactorAnswer(.refused) }
        let guess = SecondFactorGuess(totp: request.code, recoveryCode: request.recoveryCode)
        guard (guess == nil) != (request.passkey == nil) else {
            throw InvalidInput("one of code, recoveryCode and credential is needed")
        }
        let call = tags.tag(
            SecondFactorOperations.prove.path, callID: request.callID, caller: ticket.second.user,
            body: [
                request.mfaToken, request.code ?? "", request.recoveryCode ?? "",
                request.passkey?.credential.response.signature ?? "",
            ])
        let origin = RequestOrigin(requestID: requestID, method: ticket.method)
        if let passkey = request.passkey {
            let owner = PasskeyChallenge.Owner(
                user: ticket.second.user, epoch: ticket.second.epoch, proofID: ticket.proof.id)
            let shown = try await passkeys?.judge.use(
                passkey, for: .secondFactor, by: owner, SecondFactorOperations.prove.path, callID: request.callID,
                origin)
            guard let shown else { return ProveSecondFactorAnswer(.refused) }
            let proof = ticket.proved(by: shown.factors ?? .pop, call, now: now)
            return ProveSecondFactorAnswer(.proved, attestation: try proof.sealed(with: proofKeys))
        }
        guard let guess else { return ProveSecondFactorAnswer(.refused) }
        switch try await check(guess, ticket.second, call, origin) {
        case .right:
            let proof = ticket.proved(by: .otp, call, now: now)
            return ProveSecondFactorAnswer(.proved, attestation: try proof.sealed(with: proofKeys))
        case .wrong: return ProveSecondFactorAnswer(.refused)
        case .limited(let seconds): return ProveSecondFactorAnswer(.rateLimited, retryAfterSeconds: seconds)
        }
    }
}

/// Compares a code with a user's second factor, once for each call: a repeat of an accepted one is accepted again.
struct SecondFactorCheck: Sendable {
    let act: AccountAct
    let seal: SecondFactorSeal
    let notices: AccountNotices

    /// - Parameter owner: the user, whose sessions must not have ended since the epoch.
    func callAsFunction(
        _ guess: SecondFactorGuess, _ owner: ProvedSecondFactor, _ call: CallTag, _ origin: RequestOrigin
    ) async throws -> SecondFactorGuess.Result {
        let question = UserQuestion(.account(owner.user), call: call, askedAt: act.now(), readsSecondFactor: true)
        return try await act.store.decide(question) { facts, now in
            guard let user = facts.holder, user.isActive, user.epoch == owner.epoch, !user.isForReview else {
                return Verdict(.wrong)
            }
            if facts.firstAnswer != nil { return Verdict(.right) }
            var verdict = guess.judge(user, facts, seal, origin, now)
            guard verdict.outcome == .right else { return verdict }
            let repeated = FirstAnswer(
                call: call, answer: [1], user: user.id, endsSessions: false, expiresAt: now + AccountAct.answerSeconds)
            verdict.changes += try guess.notice(to: user, notices, now) + [.answer(repeated)]
            return verdict
        }
    }
}

extension SecondFactorGuess {
    /// - Returns: `nil` unless there is exactly one code.
    init?(totp: String?, recoveryCode: String?) {
        switch (totp, recoveryCode) {
        case (let code?, nil): self = .totp(code)
        case (nil, let code?): self = .recoveryCode(code)
        default: return nil
        }
    }

    /// The notice that a recovery code was used.
    func notice(to user: User, _ notices: AccountNotices, _ now: Int64) throws -> [UserChange] {
        if case .recoveryCode = self { try notices.ofFactors(to: user, now) } else { [] }
    }
}

extension AccountNotices {
    /// Creates the notices of a change of a user's second factor, over everything by which the user is reached: a thief may have one
    /// of them.
    func ofFactors(to user: User, at time: Int64? = nil, _ now: Int64) throws -> [UserChange] {
        try recipients(of: user).flatMap {
            try reportable(.identityChanged, to: $0.value, about: user, at: time ?? now, now)
        }
    }
}
