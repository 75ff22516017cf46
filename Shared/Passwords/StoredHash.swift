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

    /// KiB that a check fills.
    var memoryKiB: Int {
        switch self {
        case .own(let own): own.cost.memoryKiB
        case .foreign(let foreign): foreign.memoryKiB
        }
    }

    /// Whether it is this password's; blocks its thread.
    ///
    /// - Throws: the library's failure, which says nothing of the password.
    func matches(_ password: PasswordText) throws -> Bool {
        switch self {
        case .own(let own): try own.matches(password)
        case .foreign(let foreign): try foreign.matches(password)
        }
    }

    /// Whether its owner gets another in its place when he logs in: others' are, and ours of another cost.
    package func isOutdated(at cost: PasswordCost) -> Bool {
        switch self {
        case .own(let own): own.cost != cost
        case .foreign: true
        }
    }
}
