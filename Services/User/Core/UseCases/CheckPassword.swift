import InternalAPI
import Passwords
import Policies

/// Compares a typed password with the stored one. The guess is counted before the password is hashed.
struct CheckPassword: Sendable {
    let hasher: PasswordHasher
    let limits: GuessLimits

    /// - Parameters:
    ///   - hash: the stored hash, or `nil` if there is none. The check takes as long without one, so that its time reveals nothing.
    ///   - holder: the user with the password, for the audit; `nil` if the email address has no account.
    ///   - wrong: the result for a wrong password.
    /// - Returns: the response to a guess that is wrong, or that is not compared because of a limit; `nil` if it is right.
    /// - Throws: `GuessLimitsFailure` if nothing was hashed; `PasswordHasher.Busy` if the guess does not count.
    func callAsFunction(
        _ typed: String, against hash: String?, _ guess: PasswordGuess, of holder: User?,
        wrong: AccountAnswer.Result = .wrongPassword
    ) async throws -> AccountAnswer? {
        if case .limited(let seconds) = try await limits.admit(guess) {
            return AccountAnswer(.rateLimited, limit: .lockout, retryAfterSeconds: seconds)
        }
        // No password has this length, so the guess is wrong for every account.
        guard let password = PasswordText(typed) else {
            try await limits.noteWrong(guess, about: holder?.pseudonym)
            return AccountAnswer(wrong)
        }
        let isRight: Bool
        do {
            isRight = try await hasher.verifies(password, against: hash.flatMap(StoredHash.init))
        } catch {
            try await limits.giveBack(guess, knowsNetwork: false)
            throw error
        }
        guard isRight else {
            try await limits.noteWrong(guess, about: holder?.pseudonym)
            return AccountAnswer(wrong)
        }
        try await limits.giveBack(guess, knowsNetwork: true)
        return nil
    }
}
