import CryptoPrimitives
import InternalAPI
import Policies

/// Decides whether an account is removed because its user was away for long.
struct InactivityRule: Sendable {
    /// The reason, and the detail of a notice's record, that no notice reaches the user.
    static let noChannel = "no channel"
    /// The reason that no provider accepted a notice.
    static let notSent = "notice not sent"
    private static let daySeconds: Int64 = 86_400
    private static let monthSeconds: Int64 = 30 * daySeconds

    let policy: InactivePolicy

    /// Returns the Unix time in seconds since which a user who was away for long has not used the account.
    func start(_ now: Int64) -> Int64 { now - policy.months * Self.monthSeconds }

    /// Returns the Unix time in seconds at which the account of a user who is told now is removed.
    func removal(toldAt now: Int64) -> Int64 { now + policy.noticeDays * Self.daySeconds }

    /// Whether a code stops signing a user in before the removal, as the number may belong to another person by then (`RecycledNumbers`).
    func outlasts(idleMonths: Int64) -> Bool { removal(toldAt: 0) - start(0) >= idleMonths * Self.monthSeconds }

    /// The value of `confirmed` for the policy's other values, which only a dry run prints.
    var confirmation: String {
        let values = "inactive \(policy.months) \(policy.noticeDays) \(policy.withoutNotice)"
        return Hex.encode(Array(SHA256.hash(Array(values.utf8)).prefix(4)))
    }

    var isConfirmed: Bool { policy.confirmed == confirmation }

    /// Returns why an account stays, as the audit has it, or `nil` if its user has not used it since `start`.
    ///
    /// An import or another change of the account counts as a use, since old users who were just imported could not sign in yet.
    /// - Parameter facts: the answer to `identities`.
    static func reasonToStay(_ facts: UserFacts, unusedSince start: Int64) -> String? {
        guard let user = facts.holder else { return "no account" }
        if !user.isActive { return "account not active" }
        if user.deletion != nil { return "deletion scheduled" }
        if user.role != User.defaultRole { return "role" }
        if user.isForReview || facts.reviewedSince != nil { return "review" }
        return max(user.updatedAt, facts.lastUse) < start ? nil : "used"
    }

    /// Whether a session was used since `start`, or may have been: after a restore token-service does not know.
    static func isUsed(_ newest: NewestUse, since start: Int64) -> Bool {
        [newest.at, newest.knownSince].compactMap { $0 }.contains { $0 >= start }
    }
}
