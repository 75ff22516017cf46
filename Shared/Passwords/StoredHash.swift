package import Policies

/// A stored password hash: one of ours, or one that another system made and that stays until the user logs in.
package enum StoredHash: Sendable, Equatable {
    case own(PasswordHash)
    case foreign(ForeignHash)

    /// Returns `nil` for a text that is no hash, or would cost more than a login may.
    package init?(_ text: String) {
        if let own = PasswordHash(text) {
            self = .own(own)
        } else if let foreign = ForeignHash(text) {
            self = .foreign(foreign)
        } else {
            return nil
        }
    }

    /// The memory that a check fills, in KiB.
    var memoryKiB: Int {
        switch self {
        case .own(let own): own.cost.memoryKiB
        case .foreign(let foreign): foreign.memoryKiB
        }
    }

    /// The estimated duration of a check that compares every spelling of the password, in seconds.
    func seconds(for password: PasswordText) -> Double {
        switch self {
        case .own(let own): own.seconds(for: password)
        case .foreign(let foreign): foreign.seconds(for: password)
        }
    }

    /// Whether the hash is of this password. Blocks its thread.
    ///
    /// - Throws: the library's failure, which reveals nothing of the password.
    func matches(_ password: PasswordText) throws -> Bool {
        switch self {
        case .own(let own): try own.matches(password)
        case .foreign(let foreign): try foreign.matches(password)
        }
    }

    /// Whether a login with this password replaces the hash: a foreign hash that compares the whole password, or one of ours of
    /// another cost.
    ///
    /// bcrypt compares 72 bytes. A longer password keeps its old hash: the new one would be of what the user typed this time, and
    /// one slip after the 72nd byte would lock them out.
    package func isReplaced(by password: PasswordText, at cost: PasswordCost) -> Bool {
        switch self {
        case .own(let own): own.cost != cost
        case .foreign(let foreign): foreign.comparesAll(of: password)
        }
    }
}
