package import AuthAPI
import CryptoPrimitives
package import InternalAPI

/// A user as stored; times are Unix seconds.
package struct User: Sendable, Equatable {
    package let id: UserID
    /// Represents the user in the audit. It is deleted with the user's row, so that the audit can outlive the person's data.
    package let pseudonym: Pseudonym
    /// The phone number of the phone identity, in E.164.
    package var phone: String?
    /// The email address of the email identity, in its canonical form.
    package var email: String?
    package var name: String?
    /// All values that were set, whether or not the policy still declares their attributes.
    package var attributes: UserAttributes
    package var metadata: UserMetadata
    package var role: String
    package var isActive: Bool
    /// Raised by each change that revokes all sessions (design section 4, *Epoch*).
    package var epoch: Int64
    /// Raised by each change of the user's claims in access tokens.
    package var version: Int64
    /// The user's id in the system that they were imported from, which no other user has.
    package var legacyID: String?
    package let createdAt: Int64
    package var updatedAt: Int64
    /// Whether the code for an app store's reviewers created the account. It can have no role, and such codes sign in to it.
    package let isForReview: Bool
    /// The schedule for the account's deletion, or `nil` if there is none.
    package var deletion: ScheduledDeletion?

    package init(
        id: UserID, pseudonym: Pseudonym, phone: String?, email: String? = nil, name: String?,
        attributes: UserAttributes, role: String, isActive: Bool, epoch: Int64, version: Int64, createdAt: Int64,
        updatedAt: Int64, isForReview: Bool = false, deletion: ScheduledDeletion? = nil, legacyID: String? = nil,
        metadata: UserMetadata = UserMetadata()
    ) {
        self.id = id
        self.pseudonym = pseudonym
        self.phone = phone
        self.email = email
        self.name = name
        self.attributes = attributes
        self.metadata = metadata
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
    /// The role of administrators.
    package static let administratorRole = "admin"

    /// Whether the user may administer others now.
    var isAdministrator: Bool { role == Self.administratorRole && isActive && deletion == nil }

    /// The user's own profile, for the gateway.
    func details(idPrefix: String, attributes rules: AttributeRules) -> UserDetails {
        UserDetails(
            id: id.text(prefix: idPrefix), phoneNumber: phone, email: email, name: name, role: role,
            createdAt: createdAt, attributes: rules.shown(attributes))
    }

    /// Changes whenever something of the user does that an administrator sees or changes, or one of the changes that wait.
    func tag(_ pending: [PendingChange]) -> String {
        var parts = [phone, email, name, role, "\(isActive)", "\(epoch)", "\(version)", "\(updatedAt)"]
        parts += [deletion.map { "\($0.dueAt)" }] + attributes.inOrder.flatMap { [$0.name, "\($0.value)"] }
        if !metadata.isEmpty { parts += [metadata.app.text, metadata.own.text] }
        parts += pending.flatMap { [$0.id, $0.movesAt.map { "\($0)" }] }
        let text = parts.map { part in part.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined()
        return Hex.encode(SHA256.hash(Array(text.utf8)).prefix(8))
    }

    /// The user after a scheduled deletion is cancelled. Their earlier sessions stay revoked.
    func restored(at now: Int64) -> User {
        var user = self
        user.deletion = nil
        user.updatedAt = now
        return user
    }

    /// The user after all their sessions are revoked by a raised epoch.
    package func endingSessions(at now: Int64) -> User {
        var user = self
        user.epoch += 1
        user.updatedAt = now
        return user
    }

    /// The user after the account is scheduled for deletion. The raised epoch revokes their sessions.
    func givenUp(at now: Int64, graceDays: Int) -> (user: User, deletion: ScheduledDeletion) {
        var user = self
        let deletion = ScheduledDeletion(now: now, graceDays: graceDays)
        user.deletion = deletion
        user.epoch += 1
        user.updatedAt = now
        return (user, deletion)
    }

    /// The user's claims in access tokens, without those that profiles map.
    var claims: UserClaims {
        UserClaims(phone: phone, email: email, role: role, version: version, legacyID: legacyID)
    }
}

/// The times at which an account was scheduled for deletion and is removed, in Unix seconds.
package struct ScheduledDeletion: Sendable, Equatable {
    package let requestedAt: Int64
    package let dueAt: Int64

    package init(requestedAt: Int64, dueAt: Int64) {
        self.requestedAt = requestedAt
        self.dueAt = dueAt
    }

    /// The shortest time between a restore and a removal, in seconds.
    private static let secondsAfterRestore: Int64 = 7 * 86_400

    /// The soonest removal after a restore, in Unix seconds: the user may have withdrawn it later than the backup and the list.
    package static func soonest(afterRestoreAt now: Int64) -> Int64 {
        now.addingReportingOverflow(secondsAfterRestore).partialValue
    }

    /// A deletion requested at `now`, with the policy's grace period in days.
    init(now: Int64, graceDays: Int) {
        requestedAt = now
        dueAt = now.addingReportingOverflow(Int64(graceDays) * 86_400).partialValue
    }
}
