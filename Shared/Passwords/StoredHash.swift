package import Policies

/// A password's hash as it is kept: ours, or one that another system made, which holds until its owner logs in.
package enum StoredHash: Sendable, Equatable {
    case own(PasswordHash)
    case foreign(ForeignHash)

    /// - Returns: nil for a text that is neither, or would cost more than a login may.
    package init?(_ text: String) {
        if let own = PasswordHash(text) {
            self = .own(own)
        } else if let foreign = ForeignHash(text) {
            self = .foreign(foreign)
        } else {
            return nil
        }
    }

    /// Whether its owner gets another in its place when he logs in: others' are, and ours of less than `cost`.
    package func isBelow(_ cost: PasswordCost) -> Bool {
        switch self {
        case .own(let own): own.cost.isBelow(cost)
        case .foreign: true
        }
    }
}
