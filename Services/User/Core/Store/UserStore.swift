package import InternalAPI
package import Storage

/// Users and everything that must change together with them.
///
/// A change is one transaction with its audit records and messages, and durable before the call returns. Faults are
/// `StorageError`s, and then nothing was changed.
package protocol UserStore: Sendable {
    /// What a sign-in is decided on.
    func signInFacts(_ identity: ProvedIdentity, proofID: String) async throws -> SignInFacts

    /// Does what was decided on a sign-in, if the facts are still the same.
    func apply(_ changes: SignInChanges, on facts: SignInFacts, now: Int64) async throws -> Applied

    func user(_ id: UserID) async throws -> User?

    /// Does what was decided on a user, if he is still as `user` says.
    func apply(_ changes: UserChanges, to user: User, now: Int64) async throws -> Applied
}

/// What a sign-in is decided on.
package struct SignInFacts: Sendable, Equatable {
    /// The storage's epoch: that of all tokens and grants from before a restore is below it.
    package let epoch: Int64
    /// The user who holds the identity.
    package let holder: User?
    /// Who says that the address is his, while nobody holds it.
    package let claimant: Claimant?
    /// What the proof led to before.
    package let earlier: EarlierSignIn?

    package init(epoch: Int64, holder: User?, claimant: Claimant? = nil, earlier: EarlierSignIn?) {
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
    /// What other services are to be told of `changed`.
    package let messages: [OutboxMessage]

    package init(
        proof: SignInProof, resolution: Resolution? = nil, newcomer: User? = nil, changed: User? = nil,
        endsClaim: Bool = false, claimBecomesIdentity: Bool = false, audit: [AuditEntry] = [],
        messages: [OutboxMessage] = []
    ) {
        self.proof = proof
        self.resolution = resolution
        self.newcomer = newcomer
        self.changed = changed
        self.endsClaim = endsClaim
        self.claimBecomesIdentity = claimBecomesIdentity
        self.audit = audit
        self.messages = messages
    }
}

/// A proof of an identity.
package struct SignInProof: Sendable, Equatable {
    package let id: String
    /// Unix time in seconds until which the proof can come again.
    package let expiresAt: Int64
    package let identity: ProvedIdentity

    package init(id: String, expiresAt: Int64, identity: ProvedIdentity) {
        self.id = id
        self.expiresAt = expiresAt
        self.identity = identity
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
