import AuthAPI
import InternalAPI

/// Makes the person who has verified an identity its holder. They get the account that only claimed the email address and has
/// no other identity, or a new one.
struct AccountTakeover: Sendable {
    let userIDPrefix: String

    /// Returns the identity's new holder, and the changes that make them the holder. Claims, registrations and invitations with
    /// the identity are removed.
    ///
    /// - Parameter facts: the facts of the identity, which has no holder or one who loses it.
    func callAsFunction(
        of identity: VerifiedIdentity, by newcomer: Newcomer, _ facts: UserFacts, _ origin: RequestOrigin, _ now: Int64
    ) throws -> (user: User, changes: [UserChange]) {
        let role = newcomer.role ?? facts.invitation?.role
        if let claimant = facts.claimant, claimant.isAlone {
            let user = taken(claimant.user, identity, role, now)
            return (user, try takingOver(user, identity, origin, now) + Self.begun(identity, facts))
        }
        let user = newcomer.user(identity, role: role ?? User.defaultRole, epoch: max(1, facts.epoch), now)
        let ending = Self.ending(identity, facts, origin)
        return (
            user,
            ending + [
                .audit(AuditEntry(.created, user, origin, detail: facts.invitation?.auditText)), .create(user),
                .assignIdentity(identity, to: user.id),
            ]
        )
    }

    /// Ends an account of an app store's reviewers, whose identity passes to its owner: its sessions, and the account itself, which
    /// is due for removal at once.
    func ending(_ reviewers: User, _ origin: RequestOrigin, _ now: Int64) throws -> (UserID, [UserChange]) {
        let user = reviewers.givenUp(at: now, graceDays: 0).user
        return (
            user.id,
            [
                .audit(AuditEntry(.identityMoved, user, origin)), .update(user),
                try revocation(of: user, dueAt: now),
            ]
        )
    }

    private func revocation(of user: User, dueAt: Int64) throws -> UserChange {
        let ending = RevokeUserRequest(
            userID: user.id.text(prefix: userIDPrefix), epoch: user.epoch, reason: .takenOver)
        return .tell(try OutboxMessage(.revokeUser, encoding: ending), about: user.id, dueAt: dueAt)
    }

    /// The changes that remove the claim, the registrations and the invitation of an identity that another person has verified.
    static func ending(_ identity: VerifiedIdentity, _ facts: UserFacts, _ origin: RequestOrigin) -> [UserChange] {
        (facts.claimant.map { [.endClaim(identity), .audit(AuditEntry(.addressLost, $0.user, origin))] } ?? [])
            + begun(identity, facts)
    }

    /// The changes that remove the registrations and the invitation of an identity that a person has verified.
    static func begun(_ identity: VerifiedIdentity, _ facts: UserFacts) -> [UserChange] {
        (facts.registrations.isEmpty ? [] : [.endRegistrations(address: identity.value)])
            + (facts.invitation.map { [.endInvitation($0)] } ?? [])
    }

    /// The account as its new owner gets it. The raised epoch revokes its sessions and grants.
    private func taken(_ claimant: User, _ identity: VerifiedIdentity, _ role: String?, _ now: Int64) -> User {
        var user = claimant.endingSessions(at: now)
        user.email = identity.value
        user.role = role ?? user.role
        user.version += 1
        return user
    }

    /// The changes that give the account to its new owner and remove the earlier owner's password and links.
    private func takingOver(
        _ user: User, _ identity: VerifiedIdentity, _ origin: RequestOrigin, _ now: Int64
    ) throws -> [UserChange] {
        [
            .audit(AuditEntry(.takenOver, user, origin)), .endClaim(identity), .update(user),
            .assignIdentity(identity, to: user.id), .removePassword(of: user.id), .endLinks(of: user.id),
            .endSecondFactor(of: user.id, since: 0), try revocation(of: user, dueAt: now),
        ]
    }
}

/// The parts of a user who does not exist yet.
struct Newcomer: Sendable {
    let id: UserID
    let pseudonym: Pseudonym
    var name: String?
    /// The role that the operator gives; `nil` if the invitation's role or the default role applies.
    var role: String?
    /// Whether the code for an app store's reviewers creates the account.
    var isForReview = false

    /// Creates the parts with new ids.
    static func new(name: String? = nil, role: String? = nil, isForReview: Bool = false) -> Newcomer {
        Newcomer(id: .new(), pseudonym: .new(), name: name, role: role, isForReview: isForReview)
    }

    /// The user with the identity that they have verified. An Apple or OpenID Connect identity is no claim of the user.
    fileprivate func user(_ identity: VerifiedIdentity, role: String, epoch: Int64, _ now: Int64) -> User {
        User(
            id: id, pseudonym: pseudonym, phone: identity.kind == .phone ? identity.value : nil,
            email: identity.kind == .email ? identity.value : nil, name: name, attributes: UserAttributes(), role: role,
            isActive: true, epoch: epoch, version: 1, createdAt: now, updatedAt: now, isForReview: isForReview)
    }
}
