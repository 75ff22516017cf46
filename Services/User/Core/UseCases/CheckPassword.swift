import InternalAPI
import Passwords
import Policies

/// Compares a typed password with the one that is kept: counted first, hashed then.
struct CheckPassword: Sendable {
    let hasher: PasswordHasher
    let limits: GuessLimits

    /// The outcome of a guess.
    enum Outcome: Sendable, Equatable {
        case right, wrong
        /// Nothing was compared.
        case limited(retryAfterSeconds: Int64)

        /// The answer to a guess that is not right; `nil` if it is.
        func refusal(ofWrong wrong: AccountAnswer.Result = .wrongPassword) -> AccountAnswer? {
            switch self {
            case .right: nil
            case .wrong: AccountAnswer(wrong)
            case .limited(let seconds): AccountAnswer(.rateLimited, retryAfterSeconds: seconds)
            }
        }
    }

    /// - Parameters:
    ///   - hash: `nil` where there is none; it takes as long, so that time tells nothing.
    ///   - holder: whose password it is, for the audit; `nil` for an address without an account.
    /// - Throws: `GuessLimitsFailure`, and nothing was hashed; `PasswordHasher.Busy`, and the guess does not count.
    func callAsFunction(
        _ typed: String, against hash: String?, _ guess: PasswordGuess, of holder: User?
    ) async throws -> Outcome {
        if case .limited(let seconds) = try await limits.admit(guess) { return .limited(retryAfterSeconds: seconds) }
        // Of no length that a password can have: wrong for every account.
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
