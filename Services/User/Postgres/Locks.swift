import InternalAPI
import PostgreSQL
import UserCore

/// The locks of a change: on all people and identities that its facts are about and that it changes.
///
/// Two changes that could make each other's facts untrue have a lock in common, so the facts that are read after the locks stay
/// true until the commit.
enum Locks {
    static func of(_ changes: [UserChange], on facts: [UserFacts]) -> [AdvisoryLock] {
        let names = Set(facts.flatMap(names) + changes.flatMap(names))
        return names.map(\.lock)
    }

    static func of(_ user: UserID) -> AdvisoryLock { Name(user).lock }

    /// Returns the locks of an identity and of a user who may hold it.
    static func of(_ identity: ProvedIdentity, _ user: UserID) -> [AdvisoryLock] {
        [Name(identity).lock, Name(user).lock]
    }

    private struct Name: Hashable {
        let kind: AdvisoryLock.Kind
        let name: [UInt8]

        var lock: AdvisoryLock { AdvisoryLock(kind, name) }

        init(_ user: UserID) { (kind, name) = (.user, user.bytes) }

        init(_ identity: ProvedIdentity) {
            (kind, name) = (.identity, Array("\(identity.kind.rawValue) \(identity.value)".utf8))
        }

        init(legacyID: String) { (kind, name) = (.identity, Array("legacy \(legacyID)".utf8)) }

        init(_ call: CallTag) { (kind, name) = (.part, call.bytes) }
    }

    private static func names(_ facts: UserFacts) -> [Name] {
        let users = [facts.holder?.id, facts.claimant?.user.id, facts.earlier?.resolution.userID]
        var names = users.compactMap { $0 }.map { Name($0) }
        names += [facts.identity.map { Name($0) }, facts.question.call.map { Name($0) }].compactMap { $0 }
        switch facts.question.subject {
        case .identity(let identity), .atProvider(let identity): names.append(Name(identity))
        case .account(let id), .user(let id): names.append(Name(id))
        case .legacyID(let text): names.append(Name(legacyID: text))
        case .link: break
        }
        return names
    }

    private static func names(_ change: UserChange) -> [Name] {
        switch change {
        case .create(let user):
            [Name(user.id)] + (user.legacyID.map { [Name(legacyID: $0)] } ?? [])
        case .update(let user): [Name(user.id)]
        case .assignIdentity(let identity, let user, _), .claim(let identity, let user): [Name(identity), Name(user)]
        case .renameIdentity(let old, let new): [Name(old), Name(new)]
        case .noteUse(let identity, _), .endIdentity(let identity), .refuseTokens(let identity, _),
            .endClaim(let identity):
            [Name(identity)]
        case .setPassword(_, let user), .removePassword(let user), .forgetAppleTokens(let user, _),
            .endClaims(let user):
            [Name(user)]
        case .addRegistration(let registration): [Name(.email(registration.address))]
        case .endRegistrations(let address): [Name(.email(address))]
        case .addLink(let link): [Name(.email(link.address))]
        case .addInvitation(let invitation), .endInvitation(let invitation): [Name(invitation.identity)]
        case .renameInvitation(let invitation, let new): [Name(invitation.identity), Name(new)]
        case .answer(let answer): [Name(answer.call)]
        // The locks of the facts cover these changes, or the changes are not facts that another change compares.
        case .endRegistration, .endLinks, .resolve, .audit, .tell: []
        }
    }
}
