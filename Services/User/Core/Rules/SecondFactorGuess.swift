import CryptoPrimitives

/// A code that a person presents as the second factor.
enum SecondFactorGuess: Sendable, Equatable {
    case totp(String)
    case recoveryCode(String)

    /// The result of a guess, and the changes that are written with it. A guess is counted in the transaction that compares it.
    enum Result: Sendable, Equatable {
        case right
        case wrong
        /// The guess was not compared.
        case limited(retryAfterSeconds: Int64)
    }

    /// Judges the guess.
    ///
    /// - Parameters:
    ///   - facts: the user's facts, with the second factor.
    ///   - now: Unix time in seconds.
    func judge(
        _ user: User, _ facts: UserFacts, _ seal: SecondFactorSeal, _ origin: RequestOrigin, _ now: Int64
    ) -> Verdict<Result> {
        var factor = facts.secondFactor ?? SecondFactor()
        // Recovery codes wait with TOTP that a code alone turned on.
        guard factor.isOn(at: now) || !factor.codes.isEmpty, !factor.isWaiting(at: now) else { return Verdict(.wrong) }
        let wait = SecondFactorGuesses.waitSeconds(afterWrong: Int(clamping: factor.wrongCount))
        // A clock that went back makes no wait longer.
        let left = min(factor.guessedAt.addingReportingOverflow(wait).partialValue - now, wait)
        guard left <= 0 else { return Verdict(.limited(retryAfterSeconds: left)) }
        if let (changed, changes) = accept(user, factor, seal, origin, now) {
            factor = changed
            factor.wrongCount = 0
            return Verdict(.right, [.setSecondFactor(factor, of: user.id)] + changes)
        }
        factor.wrongCount += 1
        factor.guessedAt = now
        let isLocked = SecondFactorGuesses.waitSeconds(afterWrong: Int(clamping: factor.wrongCount)) > 0
        return Verdict(
            .wrong,
            [
                .setSecondFactor(factor, of: user.id),
                .audit(AuditEntry(isLocked ? .secondFactorLocked : .secondFactorWrong, user, origin)),
            ])
    }

    /// The factor after the code was accepted, with further changes; `nil` for a wrong code.
    private func accept(
        _ user: User, _ factor: SecondFactor, _ seal: SecondFactorSeal, _ origin: RequestOrigin, _ now: Int64
    ) -> (SecondFactor, [UserChange])? {
        switch self {
        case .totp(let text):
            guard factor.isOn(at: now), factor.wrongCount < SecondFactorGuesses.totpMax,
                let step = seal.totp(factor, of: user.id)?.step(of: text, after: factor.lastStep, now: now)
            else { return nil }
            var factor = factor
            factor.lastStep = step
            return (factor, [])
        case .recoveryCode(let text):
            guard let code = RecoveryCode(text) else { return nil }
            let tags = seal.tags.tags(of: code, user: user.id.bytes)
            let found = factor.codes.filter { stored in tags.contains { constantTimeEqual($0, stored.tag) } }
            guard let code = found.first, code.usedAt == nil else { return nil }
            return (
                factor,
                [
                    .useRecoveryCode(code.tag, of: user.id), .audit(AuditEntry(.recoveryCodeUsed, user, origin)),
                ]
            )
        }
    }
}
