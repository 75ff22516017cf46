package import InternalAPI
package import Storage

/// Users and everything that must change together with them.
///
/// A change is one transaction with its audit records and messages, and durable before the call returns. Faults are
/// `StorageError`s, and then nothing was changed.
package protocol UserStore: Sendable {
    /// What a sign-in is decided on.
    ///
    /// - Parameter now: Unix time in seconds, at which an invitation must be open.
    func signInFacts(_ identity: ProvedIdentity, proofID: String, now: Int64) async throws -> SignInFacts

    /// Does what was decided on a sign-in, if the facts are still the same.
    func apply(_ changes: SignInChanges, on facts: SignInFacts, now: Int64) async throws -> Applied

    /// Notes when identities were last used (Unix time in seconds), unless a later use is known.
    func noteUses(_ times: [ProvedIdentity: Int64]) async throws

    func user(_ id: UserID) async throws -> User?

    /// Does what was decided on a user, if he is still as `user` says.
    func apply(_ changes: UserChanges, to user: User, now: Int64) async throws -> Applied
}

/// What a sign-in is decided on.
package struct SignInFacts: Sendable, Equatable {
    /// Unix time in seconds at which an invitation was looked for.
    package let askedAt: Int64
    /// The storage's epoch: that of all tokens and grants from before a restore is below it.
    package let epoch: Int64
    /// The user who holds the identity.
    package let holder: User?
    /// Names the holder's password, if an address was proved and he has one.
    package let passwordVersion: Int64?
    /// When the holder's password was last reset or changed, in Unix seconds.
    package let passwordChangedAt: Int64?
    /// Whether strangers have registered with the address.
    package let hasRegistrations: Bool
    /// Of the identity, while nobody holds it.
    package let invitation: Invitation?
    /// Who says that the address is his, while nobody holds it.
    package let claimant: Claimant?
    /// What the proof led to before.
    package let earlier: EarlierSignIn?

    package init(
        askedAt: Int64, epoch: Int64, holder: User?, passwordVersion: Int64? = nil,
        passwordChangedAt: Int64? = nil, hasRegistrations: Bool = false, invitation: Invitation? = nil,
        claimant: Claimant? = nil, earlier: EarlierSignIn?
    ) {
        self.askedAt = askedAt
        self.passwordVersion = passwordVersion
        self.passwordChangedAt = passwordChangedAt
        self.hasRegistrations = hasRegistrations
        self.invitation = invitation
        self.epoch = epoch
        self.holder = holder
        self.claimant = claimant
        self.earlier = earlier
    }
}

/// What a sign-in writes.
package struct SignInChanges: Sendable, Equatable {
    package let proof: SignInProof
    /// What the proof leads to from now on; nil when it is refused.
    package let resolution: Resolution?
    /// A user who begins with the identity, whoever held it.
    package let newcomer: User?
    /// The holder, changed.
    package let changed: User?
    /// Who said that the address is his loses it.
    package let endsClaim: Bool
    /// Who said so gets the identity, and is `changed`.
    package let claimBecomesIdentity: Bool
    package let audit: [AuditEntry]
    /// What the proof of an address ends.
    package let ofAccounts: [AccountChange]
    /// What other services are to be told of `changed`.
    package let messages: [OutboxMessage]

    package init(
        proof: SignInProof, resolution: Resolution? = nil, newcomer: User? = nil, changed: User? = nil,
        endsClaim: Bool = false, claimBecomesIdentity: Bool = false, audit: [AuditEntry] = [],
        ofAccounts: [AccountChange] = [], messages: [OutboxMessage] = []
    ) {
        self.proof = proof
        self.resolution = resolution
        self.newcomer = newcomer
        self.changed = changed
        self.endsClaim = endsClaim
        self.claimBecomesIdentity = claimBecomesIdentity
        self.audit = audit
        self.ofAccounts = ofAccounts
        self.messages = messages
    }
}

/// A proof of an identity.
package struct SignInProof: Sendable, Equatable {
    package let id: String
    /// Unix time in seconds until which the proof can come again.
    package let expiresAt: Int64
    package let identity: ProvedIdentity
    /// Whose password proved it, and which; nil for any other proof.
    package let password: ProvedPassword?
    /// The code that a store's reviewers were given proved it.
    package let isForReview: Bool
    /// When its code was requested, in Unix seconds; `nil` if it has none.
    package let challengedAt: Int64?

    package init(
        id: String, expiresAt: Int64, identity: ProvedIdentity, password: ProvedPassword? = nil,
        isForReview: Bool = false, challengedAt: Int64? = nil
    ) {
        self.challengedAt = challengedAt
        self.password = password
        self.isForReview = isForReview
        self.id = id
        self.expiresAt = expiresAt
        self.identity = identity
    }
}

/// The password by which somebody proved his address.
package struct ProvedPassword: Sendable, Equatable {
    package let user: UserID
    package let version: Int64
    /// The user's at that time; nil where an older release proved it.
    package let epoch: Int64?

    package init(user: UserID, version: Int64, epoch: Int64?) {
        self.user = user
        self.version = version
        self.epoch = epoch
    }
}

/// What an act changes of one user.
package struct UserChanges: Sendable, Equatable {
    /// The user afterwards.
    package let user: User
    package let audit: AuditEntry
    /// What other services are to be told.
    package let messages: [OutboxMessage]
    /// Unix time in seconds from which on the outbox tells them by itself.
    package let messagesDueAt: Int64

    package init(user: User, audit: AuditEntry, messages: [OutboxMessage] = [], messagesDueAt: Int64 = 0) {
        self.user = user
        self.audit = audit
        self.messages = messages
        self.messagesDueAt = messagesDueAt
    }
}
