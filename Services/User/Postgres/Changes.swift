import InternalAPI
import PostgreSQL
import UserCore

/// Writes changes one after the other, inside the caller's transaction.
struct Changes {
    let transaction: Transaction
    /// Unix time in seconds.
    let now: Int64

    func write(_ change: UserChange) throws {
        switch change {
        case .create(let user): try UserRows.insert(user, in: transaction)
        case .update(let user): try UserRows.update(user, in: transaction)
        case .assignIdentity(let identity, let user, let isUsed):
            IdentityRows.assign(identity, to: user, isUsed: isUsed, now: now, in: transaction)
        case .renameIdentity(let old, let new): IdentityRows.rename(old, to: new, in: transaction)
        case .noteUse(let identity, let time): IdentityRows.touch(identity, now: time, in: transaction)
        case .endIdentity(let identity): IdentityRows.delete(identity, in: transaction)
        case .refuseTokens(let identity, let time):
            IdentityRows.refuseTokens(of: identity, before: time, in: transaction)
        case .forgetAppleTokens(let user, let subject):
            AppleTokenRows.forget(of: user, subject: subject, in: transaction)
        case .resolve(let proof, let resolution):
            ResolutionRows.insert(resolution, of: proof, now: now, in: transaction)
        case .claim(let identity, let user): IdentityRows.claim(identity.value, by: user, now: now, in: transaction)
        case .endClaim(let identity): IdentityRows.endClaim(identity, in: transaction)
        case .endClaims(let user): IdentityRows.endClaims(of: user, in: transaction)
        case .setPassword(let password, let user): AccountRows.setPassword(password, of: user, in: transaction)
        case .removePassword(let user): AccountRows.removePassword(of: user, in: transaction)
        case .addRegistration(let registration): AccountRows.insert(registration, in: transaction)
        case .endRegistration(let id): AccountRows.endRegistration(id, in: transaction)
        case .endRegistrations(let address): AccountRows.endRegistrations(of: address, in: transaction)
        case .addLink(let link): AccountRows.insert(link, in: transaction)
        case .endLinks(let subject): AccountRows.endLinks(of: subject, in: transaction)
        case .addInvitation(let invitation): AccountRows.insert(invitation, in: transaction)
        case .renameInvitation(let invitation, let new): AccountRows.rename(invitation, to: new, in: transaction)
        case .endInvitation(let invitation): AccountRows.endInvitation(invitation, in: transaction)
        case .audit(let entry): try AuditRows.append(entry, now: now, in: transaction)
        case .tell(let message, let user, let dueAt):
            OutboxRows.insert(message, about: user, dueAt: dueAt, now: now, in: transaction)
        case .answer(let answer): AccountRows.insert(answer, in: transaction)
        }
    }
}
