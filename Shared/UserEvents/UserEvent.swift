/// A change of a user or a session of which the app's back end is notified.
package struct UserEvent: Sendable, Equatable {
    /// The kinds of events, under their names in the hook.
    package enum Kind: String, Sendable, CaseIterable {
        case created = "user.created"
        /// The name or an attribute has changed.
        case updated = "user.updated"
        /// The user has another phone number, email address or identity at a provider, or one more or less.
        case identityChanged = "user.identity_changed"
        case roleChanged = "user.role_changed"
        case deactivated = "user.deactivated"
        case reactivated = "user.reactivated"
        /// The user was merged into another, who has everything now.
        case merged = "user.merged"
        case deletionScheduled = "user.deletion_scheduled"
        /// The scheduled deletion was cancelled.
        case restored = "user.restored"
        case deleted = "user.deleted"
        case sessionRevoked = "session.revoked"
        /// The users were restored from a backup, so that any of them may have changed.
        case allChanged = "user.all_changed"
        /// The sessions were restored from a backup, which ends all of them.
        case allRevoked = "session.all_revoked"
    }

    /// The stored form of the id in an event that is about no single user. Its body has an empty id.
    package static let everybody = [UInt8](repeating: 0, count: 16)

    package let kind: Kind
    /// The user's id in its stored form.
    package let user: [UInt8]
    /// The stored form of the id of the session, or of the user that has the account after a merge; `nil` for other kinds.
    package let subject: [UInt8]?
    /// The reason of a revocation; `nil` for other kinds.
    package let reason: String?

    /// - Parameter user: The stored form of the user's id, or `everybody`.
    package init(_ kind: Kind, of user: [UInt8], subject: [UInt8]? = nil, reason: String? = nil) {
        (self.kind, self.user, self.subject, self.reason) = (kind, user, subject, reason)
    }
}

/// An event as the queue contains it; times are Unix seconds.
package struct QueuedEvent: Sendable, Equatable {
    package let id: Int64
    package let user: [UInt8]
    /// Greater than those of all earlier events of the user from the same service.
    package let sequence: Int64
    /// A `UserEvent.Kind`, or a kind of a later release.
    package let kind: String
    package let subject: [UInt8]?
    package let reason: String?
    /// The time of the change.
    package let madeAt: Int64
    /// The time from which the event is tried: that of the change, or of the last replay.
    package let queuedAt: Int64
    /// The number of failed attempts since `queuedAt`.
    package let attempts: Int64

    package init(
        id: Int64, user: [UInt8], sequence: Int64, kind: String, subject: [UInt8]? = nil, reason: String? = nil,
        madeAt: Int64, queuedAt: Int64, attempts: Int64 = 0
    ) {
        (self.id, self.user, self.sequence, self.kind) = (id, user, sequence, kind)
        (self.subject, self.reason) = (subject, reason)
        (self.madeAt, self.queuedAt, self.attempts) = (madeAt, queuedAt, attempts)
    }
}
