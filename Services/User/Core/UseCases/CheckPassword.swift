import InternalAPI
import Passwords
import Policies

/// Compares a typed password with the one that is kept: counted first, hashed then.
struct CheckPassword: Sendable {
    let hasher: PasswordHasher
    let limits: GuessLimits

    enum Result: Sendable, Equatable {
        case right, wrong
        /// Nothing was compared.
        case limited(retryAfterSeconds: Int64)
    }

    /// - Parameter hash: nil where there is none; it takes as long, so that time tells nothing.
    /// - Throws: `GuessLimitsFailure`, and nothing was hashed; `PasswordHasher.Busy`, and the guess does not count.
    func callAsFunction(_ typed: String, against hash: String?, _ guess: PasswordGuess) async throws -> Result {
        if case .limited(let seconds) = try await limits.admit(guess) { return .limited(retryAfterSeconds: seconds) }
        // Nobody's: of no length that a password can have, whoever is asked for.
        guard let password = PasswordText(typed) else { return .wrong }
        let isRight: Bool
        do {
            isRight = try await hasher.verifies(password, against: hash.flatMap(StoredHash.init))
        } catch {
            try await limits.giveBack(guess, knowsNetwork: false)
            throw error
        }
        if isRight { try await limits.giveBack(guess, knowsNetwork: true) }
        return isRight ? .right : .wrong
    }
}
