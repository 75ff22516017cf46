import InternalAPI
import Policies

/// Decides whether a sign-in needs a second factor.
struct SecondFactorRule: Sendable {
    /// See `SecondFactorPolicy.requiredForRoles`.
    let roles: Set<String>

    /// - Parameter policy: `nil` if there is no second factor; then there is no rule.
    init?(_ policy: SecondFactorPolicy?) {
        guard let policy else { return nil }
        roles = Set(policy.requiredForRoles)
    }

    /// Whether a proof of the user's does not suffice. A user who has the role but no second factor signs in, and can turn one on.
    ///
    /// - Parameter now: Unix time in seconds.
    func isDue(_ user: User, _ factor: SecondFactor?, _ proof: SignInProof, now: Int64) -> Bool {
        proof.second == nil && proof.factors?.areMultiple != true && isNeeded(by: user, factor, now: now)
    }

    /// Whether one factor does not suffice for the user.
    func isNeeded(by user: User, _ factor: SecondFactor?, now: Int64) -> Bool {
        guard let factor, !user.isForReview else { return false }
        return factor.isRequired || roles.contains(user.role) && factor.exists(at: now)
    }
}
