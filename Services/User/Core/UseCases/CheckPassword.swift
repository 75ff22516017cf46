import InternalAPI
import Passwords
import Policies

/// Compares a typed password with the stored one. The guess is counted before the password is hashed.
struct CheckPassword: Sendable {
    let hasher: PasswordHasher
    let limits: GuessLimits

    /// The outcome of a guess.
    enum Outcome: Sendable, Equatable {
        case right, wrong
        /// Nothing was compared.
        case limited(retryAfterSeconds: Int64)

        /// The response to a guess that is not right, or `nil` if the guess is right.
        func refusal(ofWrong wrong: AccountAnswer.Result = .wrongPassword) -> AccountAnswer? {
            switch self {
            case .right: nil
            case .wrong: AccountAnswer(wrong)
            case .limited(let seconds): AccountAnswer(.rateLimited, limit: .lockout, retryAfterSeconds: seconds)
            }
        }
    }

    /// - Parameters:
    ///   - hash: the stored hash, or `nil` if there is none. The check takes as long without one, so that its time reveals nothing.
    ///   - holder: the user with the password, for the audit; `nil` if the email address has no account.
    /// - Throws: `GuessLimitsFailure` if nothing was hashed; `PasswordHasher.Busy` if the guess does not count.
    func callAsFunction(
        _ typed: String, against hash: String?, _ guess: PasswordGuess, of holder: User?
    ) async throws -> Outcome {
        if case .limited(let seconds) = try await limits.admit(guess) { return .limited(retryAfterSeconds: seconds) }
        // No password has this length, so the guess is wrong for every account.
        guard let password = PasswordText(typed) else {
            try await limits.noteWrong(guess, about: holder?.pseudonym)
            return .wrong
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
            return .wrong
        }
        try await limits.giveBack(guess, knowsNetwork: true)
        return .right
    }
}
