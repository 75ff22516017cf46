package import InternalAPI

/// Queries of users on which no change is decided.
package protocol UserQueries: Sendable {
    func user(_ id: UserID) async throws -> User?

    /// Returns those of the users who exist.
    func users(_ ids: [UserID]) async throws -> [User]

    /// Returns the user as they are durably. A response that an account does not exist or may not be used rests on this read
    /// (`SessionStore.durableSession`).
    func durableUser(_ id: UserID) async throws -> User?

    /// Finds the user with a key, and the time of their last sign-in.
    func find(_ key: UserKey) async throws -> SeenUser?

    /// Unix time in seconds at which a user got an identity, or last signed in with it; `nil` if no user has it.
    func verifiedAt(_ identity: VerifiedIdentity) async throws -> Int64?

    /// Returns the record of a user who was merged into another.
    func merged(_ id: UserID) async throws -> MergedUser?

    /// Users in the order of their ids, newest first, after `last`.
    func page(behind last: UserID?, limit: Int) async throws -> [SeenUser]

    /// Users in the same order, after a number of them. The users before are counted, so this is for administrators.
    func page(after offset: Int, limit: Int) async throws -> [SeenUser]

    /// Users who may be removed for inactivity: they have the default role, are active, neither for review nor under review, not
    /// scheduled for deletion, and have neither signed in, got an identity nor been changed since a Unix time in seconds. In the
    /// order of their ids, after `last`; a page reads a bounded number of rows, so it may be empty although others follow.
    func quietUsers(behind last: UserID?, unusedSince start: Int64, limit: Int) async throws -> QuietUserPage

    /// The users whose identities begin with a text, in the order of these identities, after the identity `last`.
    func search(_ beginning: IdentityBeginning, after last: String?, limit: Int) async throws -> [FoundUser]

    /// The users who were changed at `since` (Unix seconds) or later, newest first, and after which user the next page begins,
    /// or `nil` after the last one. A page looks at a bounded number of users, so it may be short.
    func changed(
        since: Int64, behind last: UserID?, limit: Int
    ) async throws -> (users: [SeenUser], next: UserID?)

    /// Reads an account and everything that belongs to it, for the copy of the user's data.
    func account(_ id: UserID) async throws -> StoredAccount?

    /// Passkeys of all users that were added in a span of time (Unix seconds, both included), in the order of their keys, after `last`.
    func passkeys(addedFrom from: Int64, until: Int64, after last: [UInt8], limit: Int) async throws -> [StoredPasskey]

    /// The security decisions about a user after `sequence`, in their order.
    func decisions(about id: UserID, after sequence: Int64, limit: Int) async throws -> [RecordedDecision]

    /// The numbers of users. All of them are read, so this is for operators and for gauges.
    func counts() async throws -> UserCounts

    /// Whether a user who verified it holds the identity. An app store's reviewers did not.
    func isOwned(_ identity: VerifiedIdentity) async throws -> Bool

    /// Whether a pending change gives the phone number to a user.
    func isAwaited(_ number: String) async throws -> Bool

    /// The open invitation of an identity.
    func invitation(of identity: VerifiedIdentity, now: Int64) async throws -> Invitation?

    /// Open invitations, the first to expire first.
    func invitations(limit: Int, now: Int64) async throws -> [Invitation]

    /// The phone numbers of users, open invitations and pending changes that begin with `prefix` and come after `last`, in alphabetical order.
    func numbers(prefix: String, after last: String?, limit: Int, now: Int64) async throws -> [HeldNumber]

    /// Ids of removed users, in their order, after `last`.
    func removed(behind last: UserID?, limit: Int) async throws -> [UserID]

    /// The security decisions after `sequence`, in their order.
    func decisions(after sequence: Int64, limit: Int) async throws -> [RecordedDecision]

    /// The identities that a restore left to be given to their users again, oldest first.
    func restoredIdentities(limit: Int) async throws -> [RestoredIdentity]

    /// The pending changes that are due, the longest overdue first.
    func pendingChanges(dueAt now: Int64, limit: Int) async throws -> [PendingChange]

    /// The pending changes that concern a user, oldest first.
    func pendingChanges(of user: UserID) async throws -> [PendingChange]

    /// Open reviews in the order of their users, after `last`.
    func reviews(behind last: UserID?, limit: Int) async throws -> [AccountReview]

    /// All clients, also revoked ones, in the order of their ids.
    func clients() async throws -> [APIClient]

    /// Audit records, newest first, and where the next page begins, or `nil` after the last one.
    ///
    /// - Parameter subject: the user of the request.
    func audit(
        _ request: AuditRequest, of subject: Pseudonym?
    ) async throws -> (records: [RecordedAuditEntry], next: Int64?)

    /// Records of each chain after a place, in their order, with their slots; their numbers are those in their chains.
    func auditTail(
        after places: [Int64: Int64], limit: Int
    ) async throws -> [(slot: Int64, record: RecordedAuditEntry)]
}

/// A key that identifies one user.
package enum UserKey: Sendable, Equatable {
    case id(UserID)
    case identity(VerifiedIdentity)
    /// The id in the system from which the user was imported.
    case legacyID(String)
}

/// A user, and when they last signed in.
package struct SeenUser: Sendable, Equatable {
    package let user: User
    /// Unix time in seconds; `nil` if the user's identities went to another account, or if the user was imported and has not
    /// signed in since.
    package let lastSignInAt: Int64?
    /// The user's identities at Apple and OpenID Connect providers, oldest first.
    package let identities: [VerifiedIdentity]

    package init(user: User, lastSignInAt: Int64?, identities: [VerifiedIdentity] = []) {
        self.identities = identities
        self.user = user
        self.lastSignInAt = lastSignInAt
    }
}

/// A user who has not signed in for long.
package struct QuietUser: Sendable, Equatable {
    package let user: User
    /// Unix time in seconds at which the account is removed; `nil` if the user was not told yet.
    package let removesAt: Int64?

    package init(user: User, removesAt: Int64?) { (self.user, self.removesAt) = (user, removesAt) }
}

/// A page of users who have not signed in for long.
package struct QuietUserPage: Sendable, Equatable {
    package let users: [QuietUser]
    /// The id after which the next page begins; `nil` after the last one.
    package let next: UserID?

    package init(users: [QuietUser], next: UserID?) { (self.users, self.next) = (users, next) }
}

/// The beginning of phone numbers or email addresses, in their canonical form.
package struct IdentityBeginning: Sendable, Equatable {
    package let kind: VerifiedIdentity.Kind
    package let text: String

    package init(kind: VerifiedIdentity.Kind, text: String) { (self.kind, self.text) = (kind, text) }
}

/// A user, and their identity that was searched for.
package struct FoundUser: Sendable, Equatable {
    package let user: SeenUser
    package let value: String

    package init(user: SeenUser, value: String) { (self.user, self.value) = (user, value) }
}

/// The record that remains of a user who was merged into another.
package struct MergedUser: Sendable, Equatable {
    package let id: UserID
    /// The user whose account it is now.
    package let into: UserID
    package let pseudonym: Pseudonym
    /// The epoch that ended the user's sessions.
    package let epoch: Int64
    /// Unix time in seconds.
    package let createdAt: Int64

    package init(id: UserID, into: UserID, pseudonym: Pseudonym, epoch: Int64, createdAt: Int64) {
        (self.id, self.into, self.pseudonym, self.epoch, self.createdAt) = (id, into, pseudonym, epoch, createdAt)
    }
}

/// A phone number and the user who holds it.
package struct HeldNumber: Sendable, Equatable {
    package let number: String
    /// `nil` for an invitation or a pending change.
    package let user: UserID?

    package init(number: String, user: UserID?) {
        self.number = number
        self.user = user
    }
}

extension UserQueries {
    /// Returns the user who is signed in; one whose account may not be used, as they are durably.
    func bearer(_ id: UserID) async throws -> User? {
        if let user = try await user(id), user.isActive, user.deletion == nil { return user }
        return try await durableUser(id)
    }

    package func durableUser(_ id: UserID) async throws -> User? { try await user(id) }
}
