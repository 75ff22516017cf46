import CryptoPrimitives
import InternalAPI
import Storage
import UserCore
import UserEvents

/// Records the security decisions in changes, from what the rows held before.
struct Decisions {
    private let transaction: any Transaction
    /// Unix time in seconds.
    private let now: Int64
    private let facts: [UserFacts]
    /// Users as they are after the changes so far.
    private var users: [UserID: User] = [:]
    /// Users who had nothing before these changes.
    private var newUsers: Set<UserID> = []
    /// The events in the changes so far.
    private(set) var events = NotedEvents()

    init(transaction: any Transaction, now: Int64, facts: [UserFacts]) {
        (self.transaction, self.now, self.facts) = (transaction, now, facts)
        for user in facts.flatMap(\.users) { users[user.id] = user }
    }

    /// Records the decision in a change that is about to be written.
    mutating func note(_ change: UserChange) throws {
        switch change {
        case .create(let user):
            users[user.id] = user
            newUsers.insert(user.id)
            events.note(.created, of: user.id)
        case .update(let user): try note(user)
        case .merge(let user, let other):
            try record(.merged, user.id, other.text(prefix: ""))
            events.note(.merged, of: user.id, subject: other)
        case .endPasskey(let passkey): try noteLoss(of: [passkey])
        case .endWaitingPasskeys(let user):
            try noteLoss(
                of: transaction.rows(PasskeyRows.waiting, user.bytes, now).map(PasskeyRows.passkey))
        case .setPassword(let password, let user): try notePassword(of: user, version: password.version)
        case .removePassword(let user): try notePassword(of: user, version: nil)
        case .assignIdentity(let identity, let user, _):
            let isNew = try !noteLoss(of: identity, to: user)
            if isNew, !newUsers.contains(user) { events.note(.identityChanged, of: user) }
        case .restoreIdentity(_, _, let user): events.note(.identityChanged, of: user)
        case .renameIdentity(let identity, _):
            for user in try holders(of: identity) { events.note(.identityChanged, of: user) }
        case .endIdentity(let identity): _ = try noteLoss(of: identity, to: nil)
        case .noteAdded(let identity, let sealed, let user): try noteGain(of: identity, sealed, by: user)
        case .openReview(let user, let since, nil): try record(.reviewOpened, user, "\(since)")
        // A restore need not open again what ends by itself.
        case .openReview: break
        case .closeReview(let user): try record(.reviewCleared, user)
        case .endSecondFactor(let user, nil):
            for loss in [SecondFactorLoss.all, SecondFactorLoss.codes] { try record(.secondFactorLost, user, loss) }
        case .setRecoveryCodes(_, let user) where !newUsers.contains(user):
            try record(.secondFactorLost, user, SecondFactorLoss.codes)
        case .useRecoveryCode(let tag, let user): try record(.secondFactorLost, user, Hex.encode(tag))
        case .addInvitation(let invitation):
            for id in try invitations(of: invitation.identity) where id != invitation.id {
                try record(.invitationEnded, id)
            }
        case .endInvitation(let invitation) where facts.contains { $0.invitation == invitation }:
            try record(.invitationEnded, invitation.id)
        case .endInvitation(let invitation):
            for id in try invitations(of: invitation.identity) { try record(.invitationEnded, id) }
        case .storeClient(let client): try note(client)
        // A client is revoked before it is removed.
        case .removeClient: break
        case .addPasskey, .renamePasskey, .notePasskeyUse, .noteUse, .refuseTokens, .forgetAppleTokens,
            .revokeAppleTokens, .endRestored, .resolve, .claim, .endClaim,
            .endClaims, .addRegistration, .endRegistration, .endRegistrations, .addLink, .endLinks, .endNotMeLinks,
            .renameInvitation,
            .addPending, .startPending, .renamePending, .endPending, .endPendingChange, .audit, .tell, .answer,
            .noteGivenUp, .noteOrigins, .forgetOrigins, .forgetReportedOrigins, .setSecondFactor, .setRecoveryCodes,
            // A report removes only factors that are newer than the review, and a restore opens that review again.
            .endSecondFactor:
            break
        }
    }

    private mutating func record(
        _ kind: SecurityDecision.Kind, _ subject: UserID, _ detail: String? = nil
    ) throws {
        if let event = UserEvent.Kind(kind) { events.note(event, of: subject) }
        try DecisionRows.record(kind, of: subject, detail, at: now, in: transaction)
    }

    private mutating func noteLoss(of passkeys: [StoredPasskey]) throws {
        for passkey in passkeys { try record(.passkeyLost, passkey.user, DecisionRows.lostPasskey(passkey)) }
    }

    private mutating func note(_ user: User) throws {
        guard let old = users.updateValue(user, forKey: user.id) else { return }
        if user.name != old.name || user.attributes != old.attributes || user.metadata != old.metadata {
            events.note(.updated, of: user.id)
        }
        if user.isActive != old.isActive { try record(user.isActive ? .reactivated : .deactivated, user.id) }
        if user.role != old.role {
            try record(.roleLost, user.id, old.role)
            try record(.roleGiven, user.id, user.role)
        }
        guard user.deletion?.dueAt != old.deletion?.dueAt else { return }
        try record(user.deletion == nil ? .deletionWithdrawn : .deletionRequested, user.id, user.deletion?.detail)
    }

    /// A restored database has the old credentials, but not the new ones, so the client is revoked there as a whole.
    private mutating func note(_ client: APIClient) throws {
        guard let old = facts.lazy.compactMap(\.client).first(where: { $0.sid == client.sid }) else { return }
        let keepsAll =
            old.secrets.allSatisfy(client.secrets.contains) && old.keys.allSatisfy(client.keys.contains)
        let isRevoked = client.revokedAt != nil && old.revokedAt == nil
        guard isRevoked || !keepsAll, let subject = client.decisionSubject else { return }
        try record(.clientRevoked, subject)
    }

    /// - Parameter version: the new password's; `nil` if there is none.
    private mutating func notePassword(of user: UserID, version: Int64?) throws {
        guard !newUsers.contains(user) else { return }
        let read = facts.first { $0.holder?.id == user && $0.question.readsPassword }
        let old = try read.map { $0.password?.version } ?? passwordVersion(of: user)
        if let old, old != version { try record(.passwordChanged, user) }
    }

    private func passwordVersion(of user: UserID) throws -> Int64? {
        try transaction.rows("SELECT version FROM passwords WHERE user_id = $1", user.bytes).first?.integer(0)
    }

    /// - Parameter user: the identity's next holder.
    /// - Returns: Whether they have the identity already.
    private mutating func noteLoss(of identity: VerifiedIdentity, to user: UserID?) throws -> Bool {
        if let read = facts.first(where: { $0.question.readsHolder && $0.identity == identity }), read.holder == nil {
            return false
        }
        let rows = try transaction.rows(
            "SELECT user_id, created_at FROM identities WHERE kind = $1 AND value = $2", identity.kind.rawValue,
            identity.value)
        for row in rows where try row.userID(0) != user {
            let detail = DecisionRows.lostIdentity(kind: identity.kind.rawValue, createdAt: row.integer(1))
            try record(.identityLost, try row.userID(0), detail)
        }
        return try rows.contains { try $0.userID(0) == user }
    }

    /// - Parameter sealed: the identity, sealed.
    private mutating func noteGain(of identity: VerifiedIdentity, _ sealed: String, by user: UserID) throws {
        let rows = try transaction.rows(
            "SELECT created_at FROM identities WHERE kind = $1 AND value = $2 AND user_id = $3",
            identity.kind.rawValue, identity.value, user.bytes)
        guard let row = rows.first else { return }
        let detail = DecisionRows.addedIdentity(
            kind: identity.kind.rawValue, createdAt: row.integer(0), sealed: sealed)
        try record(.identityAdded, user, detail)
    }

    private func holders(of identity: VerifiedIdentity) throws -> [UserID] {
        try transaction.rows(
            "SELECT user_id FROM identities WHERE kind = $1 AND value = $2", identity.kind.rawValue, identity.value
        ).map { try $0.userID(0) }
    }

    private func invitations(of identity: VerifiedIdentity) throws -> [UserID] {
        try transaction.rows(
            "SELECT id FROM invitations WHERE kind = $1 AND value = $2", identity.kind.rawValue, identity.value
        ).map { try $0.userID(0) }
    }
}

extension ScheduledDeletion {
    /// The deletion in the detail of a security decision.
    var detail: String { "\(requestedAt)/\(dueAt)" }
}

extension UserFacts {
    /// All users in the facts.
    var users: [User] { [holder, claimant?.user, earlier?.user].compactMap { $0 } }
}

extension UserQuestion {
    /// Whether the facts have the holder of their identity.
    fileprivate var readsHolder: Bool {
        switch subject {
        case .identity, .atProvider, .link: true
        case .passkey, .account, .identities, .user, .legacyID, .administrators, .client: false
        }
    }

    /// Whether the facts have the holder's password, if there is one.
    fileprivate var readsPassword: Bool {
        switch subject {
        case .identity, .passkey, .link, .account, .identities: true
        case .atProvider, .user, .legacyID, .administrators, .client: false
        }
    }
}
