import AuthAPI
import InternalAPI

/// Makes whoever proved an address by a link, and gave a password with it, its holder.
struct AddressOwner: Sendable {
    let userIDPrefix: String

    /// Who comes to the address.
    struct Newcomer: Sendable {
        let id: UserID
        let pseudonym: Pseudonym
        let name: String?
        /// What the operator gives him at once; nil: what he was invited to, or that of all users.
        var role: String?
    }

    /// The address's holder from now on; an account that only claimed it, and has nothing else, is his (`SignInRule`).
    ///
    /// - Returns: the user, and what makes him so.
    func become(
        _ newcomer: Newcomer, at address: String, with password: StoredPassword, _ facts: AccountFacts,
        _ origin: RequestOrigin, now: Int64
    ) throws -> (User, [AccountChange]) {
        let identity = ProvedIdentity(kind: .email, value: address)
        var changes: [AccountChange]
        let user: User
        let role = newcomer.role ?? facts.invitation?.role
        if let claimant = facts.claimant, claimant.isAlone {
            (user, changes) = try takeOver(claimant.user, role, identity, origin, now)
        } else {
            user = created(newcomer, role ?? User.defaultRole, address, facts, now)
            changes = [.create(user, identity), .audit(entry(.created, user, origin))]
            if let claimant = facts.claimant {
                changes = [.endClaim(identity), .audit(entry(.addressLost, claimant.user, origin))] + changes
            }
        }
        changes += [.setPassword(password, of: user.id), .endRegistrations(address: address)]
        return (user, changes + (facts.invitation.map { [.endInvitation($0)] } ?? []))
    }

    /// All that the account was is over, its sessions and links too.
    private func takeOver(
        _ claimant: User, _ role: String?, _ identity: ProvedIdentity, _ origin: RequestOrigin, _ now: Int64
    ) throws -> (User, [AccountChange]) {
        var user = claimant.endingSessions(at: now)
        user.email = identity.value
        user.role = role ?? user.role
        user.version += 1
        let ending = RevokeUserRequest(
            userID: user.id.text(prefix: userIDPrefix), epoch: user.epoch, reason: .takenOver)
        return (
            user,
            [
                .update(user), .claimBecomesIdentity(identity, of: user.id), .endLinks(of: user.id),
                .audit(entry(.takenOver, user, origin)),
                .tell(try OutboxMessage(.revokeUser, encoding: ending), about: user.id, dueAt: now),
            ]
        )
    }

    private func created(
        _ newcomer: Newcomer, _ role: String, _ address: String, _ facts: AccountFacts, _ now: Int64
    ) -> User {
        User(
            id: newcomer.id, pseudonym: newcomer.pseudonym, phone: nil, email: address, name: newcomer.name,
            attributes: UserAttributes(), role: role, isActive: true, epoch: max(1, facts.epoch), version: 1,
            createdAt: now, updatedAt: now)
    }

    private func entry(_ event: AuditEntry.Event, _ user: User, _ origin: RequestOrigin) -> AuditEntry {
        AuditEntry(event: event, subject: user.pseudonym, origin: origin)
    }
}
