import InternalAPI
import Storage
import UserCore
import UserEvents

/// Writes changes one after the other, inside the caller's transaction.
struct Changes {
    let transaction: any Transaction
    /// Unix time in seconds.
    let now: Int64
    /// The facts on which the changes were decided.
    let facts: [UserFacts]
    /// Whether the changes add events for the app's back end.
    let writesEvents: Bool

    /// - Throws: `other` for a change of something that the facts do not lock.
    func write(_ changes: [UserChange]) throws {
        var (locked, decisions) = (LockedFacts(facts), Decisions(transaction: transaction, now: now, facts: facts))
        for change in changes {
            try locked.require(change)
            try decisions.note(change)
            try write(change)
        }
        if writesEvents { try EventRows.insert(decisions.events.inOrder, now: now, in: transaction) }
    }

    private func write(_ change: UserChange) throws {
        switch change {
        case .create(let user): try UserRows.insert(user, in: transaction)
        case .update(let user): try UserRows.update(user, in: transaction)
        case .merge(let user, let other): try MergedRows.merge(user, into: other, now: now, in: transaction)
        case .assignIdentity(let identity, let user, let isUsed):
            try IdentityRows.assign(
                identity, to: user, since: now, usedAt: isUsed ? now : IdentityRows.never, in: transaction)
        case .renameIdentity(let old, let new): try IdentityRows.rename(old, to: new, in: transaction)
        case .noteUse(let identity, let time): try IdentityRows.touch(identity, now: time, in: transaction)
        case .endIdentity(let identity): try IdentityRows.delete(identity, in: transaction)
        case .refuseTokens(let identity, let time):
            try IdentityRows.refuseTokens(of: identity, before: time, in: transaction)
        case .forgetAppleTokens(let user, let subject):
            try AppleTokenRows.forget(of: user, subject: subject, in: transaction)
        case .revokeAppleTokens(let user, let subject):
            try AppleTokenRows.revoke(of: user, subject: subject, now: now, in: transaction)
        case .noteAdded: break
        case .restoreIdentity(let identity, let since, let user):
            try IdentityRows.assign(identity, to: user, since: since, usedAt: IdentityRows.never, in: transaction)
        case .endRestored(let user, let sealed):
            try RestoredIdentityRows.end(sealed, of: user, in: transaction)
        case .resolve(let proof, let resolution):
            try ResolutionRows.insert(resolution, of: proof, now: now, in: transaction)
        case .claim(let identity, let user): try IdentityRows.claim(identity.value, by: user, now: now, in: transaction)
        case .endClaim(let identity): try IdentityRows.endClaim(identity, in: transaction)
        case .endClaims(let user): try IdentityRows.endClaims(of: user, in: transaction)
        case .addPasskey(let passkey): try PasskeyRows.insert(passkey, in: transaction)
        case .renamePasskey(let passkey): try PasskeyRows.rename(passkey, in: transaction)
        case .notePasskeyUse(let passkey): try PasskeyRows.noteUse(passkey, in: transaction)
        case .endPasskey(let passkey): try PasskeyRows.end(passkey, in: transaction)
        case .endWaitingPasskeys(let user): try PasskeyRows.endWaiting(of: user, now: now, in: transaction)
        case .setPassword(let password, let user): try AccountRows.setPassword(password, of: user, in: transaction)
        case .removePassword(let user): try AccountRows.removePassword(of: user, in: transaction)
        case .setSecondFactor(let factor, let user): try SecondFactorRows.set(factor, of: user, in: transaction)
        case .setRecoveryCodes(let tags, let user): try SecondFactorRows.setCodes(tags, of: user, in: transaction)
        case .useRecoveryCode(let tag, let user): try SecondFactorRows.useCode(tag, of: user, at: now, in: transaction)
        case .endSecondFactor(let user, let since): try SecondFactorRows.end(of: user, since: since, in: transaction)
        case .addRegistration(let registration): try AccountRows.insert(registration, in: transaction)
        case .endRegistration(let id): try AccountRows.endRegistration(id, in: transaction)
        case .endRegistrations(let address): try AccountRows.endRegistrations(of: address, in: transaction)
        case .addLink(let link): try AccountRows.insert(link, in: transaction)
        case .endLinks(let subject): try AccountRows.endLinks(of: subject, in: transaction)
        case .endNotMeLinks(let user, let since):
            try AccountRows.endNotMeLinks(of: user, since: since, in: transaction)
        case .openReview(let user, let since, let until):
            try transaction.run([ReviewRows.opening(of: user, since: since, until: until, now: now)])
        case .closeReview(let user):
            try OriginRows.forgetReviewedAnomalies(of: user, in: transaction)
            try ReviewRows.close(of: user, in: transaction)
        case .noteOrigins(let origins, let user): try OriginRows.note(origins, of: user, in: transaction)
        case .forgetOrigins(let origins, let user): try OriginRows.forget(origins, of: user, in: transaction)
        case .forgetReportedOrigins(let user, let time):
            try OriginRows.forgetReported(of: user, since: time, now: now, in: transaction)
        case .addInvitation(let invitation): try AccountRows.insert(invitation, in: transaction)
        case .renameInvitation(let invitation, let new): try AccountRows.rename(invitation, to: new, in: transaction)
        case .endInvitation(let invitation): try AccountRows.endInvitation(invitation, in: transaction)
        case .addPending(let change): try PendingRows.insert(change, in: transaction)
        case .startPending(let change, let time): try PendingRows.start(change, at: time, in: transaction)
        case .renamePending(let change, let new): try PendingRows.rename(change, to: new.value, in: transaction)
        case .endPendingChange(let change): try PendingRows.end(change, in: transaction)
        case .endPending(let user, let kind): try PendingRows.end(of: user, kind, in: transaction)
        case .storeClient(let client): try ClientRows.store(client, in: transaction)
        case .removeClient(let id): try ClientRows.remove(id, in: transaction)
        case .audit(let entry): try AuditRows.append(entry, now: now, in: transaction)
        case .tell(let message, let user, let dueAt):
            try OutboxRows.insert(message, about: user, dueAt: dueAt, now: now, in: transaction)
        case .answer(let answer), .noteGivenUp(let answer): try AccountRows.insert(answer, in: transaction)
        }
    }
}
