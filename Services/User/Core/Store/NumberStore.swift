/// Phone numbers as users and open invitations have them, for the operator who renames them.
package protocol NumberStore: Sendable {
    /// The numbers that begin with `prefix` and come after `last`, in the order of their texts.
    ///
    /// - Parameter now: Unix time in seconds at which an invitation must be open.
    func numbers(prefix: String, behind last: String?, limit: Int, now: Int64) async throws -> [HeldNumber]

    /// Renames those whose new number is free, each with an audit record, durable before it returns.
    ///
    /// - Parameter isDryRun: Whether nothing is written.
    /// - Returns: the outcome of each, in their order.
    func rename(
        _ renamings: [Renaming], isDryRun: Bool, origin: RequestOrigin, now: Int64
    ) async throws -> [RenamingOutcome]
}

/// A number and the user who holds it.
package struct HeldNumber: Sendable, Equatable {
    package let number: String
    /// `nil` for an invitation.
    package let user: UserID?

    package init(number: String, user: UserID?) {
        self.number = number
        self.user = user
    }
}

/// The old and the new number of a user or an invitation.
package struct Renaming: Sendable, Equatable {
    package let held: HeldNumber
    package let to: String

    package init(held: HeldNumber, to: String) {
        self.held = held
        self.to = to
    }
}

/// The outcome of renaming a number.
package enum RenamingOutcome: Sendable, Equatable {
    /// The number has its new form, or would have it after a dry run.
    case renamed
    /// Somebody else holds the new number, or is invited with it.
    case taken(by: UserID?)
    /// The number changed hands since it was listed.
    case gone
}
