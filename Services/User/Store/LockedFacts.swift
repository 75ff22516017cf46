import InternalAPI
import Storage
import UserCore

/// The things that the facts of a decision have locked, which its changes may write.
struct LockedFacts {
    /// The identities that the questions name.
    private var identities: Set<VerifiedIdentity> = []
    /// The identities of locked users. A decision about one of them locks its holder too.
    private var held: Set<VerifiedIdentity> = []
    private var legacyIDs: Set<String> = []
    private var users: Set<UserID> = []
    /// Users whose facts were read, or who are new.
    private var known: Set<UserID> = []
    private var calls: Set<CallTag> = []
    private var clients: Set<String> = []
    private var passkeys: Set<[UInt8]> = []

    init(_ facts: [UserFacts]) {
        for facts in facts {
            if let call = facts.question.call { calls.insert(call) }
            if let link = facts.link { users.insert(link.subject) }
            switch facts.question.subject {
            case .identity(let identity), .atProvider(let identity): identities.insert(identity)
            case .link: identities.formUnion([facts.identity].compactMap { $0 })
            case .account(let id), .user(let id): users.insert(id)
            case .identities(let id):
                users.insert(id)
                held.formUnion(facts.identities.map(\.identity))
            case .passkey(let key): passkeys.insert(key)
            case .legacyID(let text): legacyIDs.insert(text)
            case .client(let id): clients.insert(id)
            case .administrators: break
            }
            for user in [facts.holder, facts.claimant?.user].compactMap({ $0 }) {
                known.insert(user.id)
                held.formUnion([user.email.map { .email($0) }, user.phone.map { .phone($0) }].compactMap { $0 })
            }
        }
        users.formUnion(known)
        held.formUnion(identities)
    }

    /// - Throws: `other` for a change of something that is not locked, which is a fault of the rule that decided it.
    mutating func require(_ change: UserChange) throws {
        guard !isLocked(change) else { return }
        throw StorageError(.other, "a decision writes what it has not locked: \(change.name)")
    }

    private mutating func isLocked(_ change: UserChange) -> Bool {
        switch change {
        case .create(let user):
            // No other decision knows the id of a new user.
            users.insert(user.id)
            known.insert(user.id)
            return user.legacyID.map(legacyIDs.contains) ?? true
        case .update(let user): return known.contains(user.id)
        case .merge(let user, let other):
            return known.isSuperset(of: [user.id, other]) && user.legacyID.map(legacyIDs.contains) ?? true
        case .assignIdentity(let identity, let user, _), .claim(let identity, let user),
            .restoreIdentity(let identity, _, let user):
            return identities.contains(identity) && users.contains(user)
        case .renameIdentity(let old, let new): return held.contains(old) && identities.contains(new)
        case .endIdentity(let identity), .refuseTokens(let identity, _), .endClaim(let identity):
            return held.contains(identity)
        case .addPending(let change):
            return users.isSuperset(of: [change.user] + (change.other.map { [$0] } ?? []))
                && change.number.map { identities.contains(.phone($0)) } ?? true
        case .renamePending(let change, let new):
            return identities.contains(new) && change.number.map { identities.contains(.phone($0)) } ?? false
        case .startPending(let change, _): return change.number.map { identities.contains(.phone($0)) } ?? false
        case .addPasskey(let passkey): return passkeys.contains(passkey.key) && users.contains(passkey.user)
        case .renamePasskey(let passkey), .endPasskey(let passkey): return users.contains(passkey.user)
        case .notePasskeyUse(let passkey): return passkeys.contains(passkey.key)
        case .setPassword(_, let user), .removePassword(let user), .forgetAppleTokens(let user, _),
            .revokeAppleTokens(let user, _), .noteAdded(_, _, let user), .endRestored(let user, _),
            .endClaims(let user), .endWaitingPasskeys(let user), .openReview(let user, _, _), .closeReview(let user),
            .noteOrigins(_, let user), .forgetOrigins(_, let user), .forgetReportedOrigins(let user, _),
            .setSecondFactor(_, let user), .setRecoveryCodes(_, let user), .useRecoveryCode(_, let user),
            .endSecondFactor(let user, _):
            return users.contains(user)
        case .addRegistration(let registration): return identities.contains(.email(registration.address))
        case .endRegistrations(let address): return identities.contains(.email(address))
        case .addLink(let link): return link.identity.map(held.contains) ?? users.contains(link.subject)
        case .addInvitation(let invitation), .endInvitation(let invitation):
            return identities.contains(invitation.identity)
        case .renameInvitation(let invitation, let new): return identities.isSuperset(of: [invitation.identity, new])
        case .storeClient(let client): return clients.contains(client.id)
        case .removeClient(let id): return clients.contains(id)
        case .answer(let answer): return calls.contains(answer.call)
        // A registration belongs to an address, and a note to an identity, that is locked; no other decision rests on the others.
        // To end a pending change is always safe.
        case .endRegistration, .noteGivenUp, .noteUse, .endLinks, .endNotMeLinks, .resolve, .audit, .tell, .endPending,
            .endPendingChange:
            return true
        }
    }
}

extension UserChange {
    /// The change's case, without its values.
    fileprivate var name: String { Mirror(reflecting: self).children.first?.label ?? "\(self)" }
}
