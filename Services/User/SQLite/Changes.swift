import GRDB
import InternalAPI
import SQLiteStore
import UserCore

/// Writes changes one after the other, inside the caller's transaction.
struct Changes {
    let database: Database
    /// Unix time in seconds.
    let now: Int64

    func write(_ change: UserChange) throws {
        let (users, identities) = (UserRows(database: database), IdentityRows(database: database))
        let (claims, accounts) = (UnprovedAddressRows(database: database), AccountRows(database: database))
        switch change {
        case .create(let user): try users.insert(user)
        case .update(let user): try users.update(user)
        case .assignIdentity(let identity, let user, let isUsed):
            try identities.assign(identity, to: user, isUsed: isUsed, now: now)
        case .renameIdentity(let old, let new): try identities.rename(old, to: new)
        case .noteUse(let identity, let time): try identities.touch(identity, now: time)
        case .endIdentity(let identity): try identities.delete(identity)
        case .refuseTokens(let identity, let time): try identities.refuseTokens(of: identity, before: time)
        case .forgetAppleTokens(let user, let subject):
            try AppleTokenRows(database: database).forget(of: user, subject: subject)
        case .resolve(let proof, let resolution):
            try ResolutionRows(database: database).insert(resolution, of: proof, now: now)
        case .claim(let identity, let user): try claims.insert(identity.value, of: user, now: now)
        case .endClaim(let identity): try claims.delete(identity)
        case .endClaims(let user): try claims.deleteAll(of: user)
        case .setPassword(let password, let user): try accounts.setPassword(password, of: user)
        case .removePassword(let user): try accounts.removePassword(of: user)
        case .addRegistration(let registration): try accounts.insert(registration)
        case .endRegistration(let id): try accounts.endRegistration(id)
        case .endRegistrations(let address): try accounts.endRegistrations(of: address)
        case .addLink(let link): try accounts.insert(link)
        case .endLinks(let subject): try accounts.endLinks(of: subject)
        case .addInvitation(let invitation): try accounts.insert(invitation)
        case .renameInvitation(let invitation, let new): try accounts.rename(invitation, to: new)
        case .endInvitation(let invitation): try accounts.endInvitation(invitation)
        case .audit(let entry): try AuditRows(database: database).append(entry, now: now)
        case .tell(let message, let user, let dueAt):
            try OutboxRows(database: database).insert(message, about: user, dueAt: dueAt, now: now)
        case .answer(let answer): try accounts.insert(answer)
        }
    }
}
