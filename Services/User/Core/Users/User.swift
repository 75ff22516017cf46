package import AuthAPI
import InternalAPI

/// A user as stored; times are Unix seconds.
package struct User: Sendable, Equatable {
    package let id: UserID
    /// Stands for the user in the audit; forgotten with the row, so that the audit can outlive the person's data.
    package let pseudonym: Pseudonym
    /// E.164, from the phone identity.
    package var phone: String?
    /// In its one spelling, from the e-mail identity.
    package var email: String?
    package var name: String?
    /// What was set, whether the policy still declares it or not.
    package var attributes: UserAttributes
    package var role: String
    package var isActive: Bool
    /// Raised by whatever ends all sessions (design section 4, *Epoch*).
    package var epoch: Int64
    /// Raised by each change of what access tokens say of the user.
    package var version: Int64
    /// What the user was called where he was moved in from; no two users have the same.
    package let legacyID: String?
    package let createdAt: Int64
    package var updatedAt: Int64
    /// Made by the code that a store's reviewers were given: it can have no role, and such codes open it.
    package let isForReview: Bool
    /// Set while the account waits for its removal.
    package var deletion: ScheduledDeletion?

    package init(
        id: UserID, pseudonym: Pseudonym, phone: String?, email: String? = nil, name: String?,
        attributes: UserAttributes, role: String, isActive: Bool, epoch: Int64, version: Int64, createdAt: Int64,
        updatedAt: Int64, isForReview: Bool = false, deletion: ScheduledDeletion? = nil, legacyID: String? = nil
    ) {
        self.id = id
        self.pseudonym = pseudonym
        self.phone = phone
        self.email = email
        self.name = name
        self.attributes = attributes
        self.role = role
        self.isActive = isActive
        self.epoch = epoch
        self.version = version
        self.legacyID = legacyID
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.isForReview = isForReview
        self.deletion = deletion
    }

    /// The role of new users.
    package static let defaultRole = "user"

    /// What the gateway is told, for the user's own eyes.
    func details(idPrefix: String, attributes rules: AttributeRules) -> UserDetails {
        UserDetails(
            id: id.text(prefix: idPrefix), phoneNumber: phone, email: email, name: name, role: role,
            createdAt: createdAt, attributes: rules.shown(attributes))
    }

    /// The user once a scheduled deletion is taken back; its sessions are over all the same.
    func restored(at now: Int64) -> User {
        var user = self
        user.deletion = nil
        user.updatedAt = now
        return user
    }

    /// The user once all his sessions are over: they end with the raised epoch.
    func endingSessions(at now: Int64) -> User {
        var user = self
        user.epoch += 1
        user.updatedAt = now
        return user
    }

    /// The user once he is given up: his sessions end with the raised epoch.
    func givenUp(at now: Int64, graceDays: Int) -> (user: User, deletion: ScheduledDeletion) {
        var user = self
        let deletion = ScheduledDeletion(now: now, graceDays: graceDays)
        user.deletion = deletion
        user.epoch += 1
        user.updatedAt = now
        return (user, deletion)
    }

    /// What access tokens may say.
    var claims: UserClaims {
        UserClaims(phone: phone, email: email, role: role, version: version, legacyID: legacyID)
    }
}

/// When an account was given up and when it is removed; Unix seconds.
package struct ScheduledDeletion: Sendable, Equatable {
    package let requestedAt: Int64
    package let dueAt: Int64

    package init(requestedAt: Int64, dueAt: Int64) {
        self.requestedAt = requestedAt
        self.dueAt = dueAt
    }

    /// A deletion asked for at `now`, with the policy's days of grace.
    init(now: Int64, graceDays: Int) {
        requestedAt = now
        dueAt = now.addingReportingOverflow(Int64(graceDays) * 86_400).partialValue
    }
}
