internal import AuthAPI
internal import InternalAPI

/// A user as stored; times are Unix seconds.
struct User: Sendable, Equatable {
    let id: UserID
    /// Stands for the user in the audit; forgotten with the row, so that the audit can outlive the person's data.
    let pseudonym: Pseudonym
    /// E.164, from the phone identity.
    var phone: String?
    var email: String?
    var name: String?
    /// What was set, whether the policy still declares it or not.
    var attributes: UserAttributes
    var role: String
    var isActive: Bool
    /// Raised by whatever ends all sessions (design section 4, *Epoch*).
    var epoch: Int64
    /// Raised by each change of what access tokens say of the user.
    var version: Int64
    let createdAt: Int64
    var updatedAt: Int64
    /// Set while the account waits for its removal.
    var deletion: ScheduledDeletion?

    /// The role of new users.
    static let defaultRole = "user"

    /// What the gateway is told, for the user's own eyes.
    func details(idPrefix: String, attributes rules: AttributeRules) -> UserDetails {
        UserDetails(
            id: id.text(prefix: idPrefix), phoneNumber: phone, email: email, name: name, role: role,
            createdAt: createdAt, attributes: rules.shown(attributes))
    }

    /// What access tokens may say.
    var claims: UserClaims { UserClaims(phone: phone, email: email, role: role, version: version) }
}

/// When an account was given up and when it is removed; Unix seconds.
struct ScheduledDeletion: Sendable, Equatable {
    let requestedAt: Int64
    let dueAt: Int64

    init(requestedAt: Int64, dueAt: Int64) {
        self.requestedAt = requestedAt
        self.dueAt = dueAt
    }

    /// A deletion asked for at `now`, with the policy's days of grace.
    init(now: Int64, graceDays: Int) {
        requestedAt = now
        dueAt = now.addingReportingOverflow(Int64(graceDays) * 86_400).partialValue
    }
}
