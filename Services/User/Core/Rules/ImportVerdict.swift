import InternalAPI

/// A user who may be added, checked without regard to other users.
struct ImportedNewcomer: Sendable, Equatable {
    let user: User
    /// Whether the file specifies the id, so that no other user may have it.
    let keepsID: Bool
    /// Verified identities.
    let identities: [VerifiedIdentity]
    /// An email address that they have not verified.
    let claim: VerifiedIdentity?
    let password: StoredPassword?
}

/// The facts about a new user before they are added.
struct ImportFacts: Sendable, Equatable {
    /// The user with the new user's legacy id.
    let legacyHolder: UserID?
    /// Whether there is a user with the new user's id.
    let hasID: Bool
    /// Whether a user with this id was removed. A line without an id always gets the same id.
    let isRemoved: Bool
    /// The holder of each of the identities, in their order.
    let holders: [UserID?]
    /// The user who has the claimed email address, verified or not.
    let claimHolder: UserID?
    /// Whether an app store's reviewers have one of the identities. The file means another person.
    var hasReviewers = false
}

/// The decision about an imported user.
enum ImportVerdict: Sendable, Equatable {
    case added
    /// They were added before.
    case known(UserID)
    /// Another user has the value of this member.
    case taken(String)
    /// Their data were removed on their request.
    case removed
}

extension ImportVerdict {
    /// Decides about an imported user. It is a pure function, so that a repeat leads to the same user.
    static func judge(_ newcomer: ImportedNewcomer, _ facts: ImportFacts) -> ImportVerdict {
        if facts.isRemoved { return .removed }
        let held = facts.holders + (newcomer.claim == nil ? [] : [facts.claimHolder])
        // The legacy id comes first, since email address and phone number may have changed.
        if let holder = facts.legacyHolder {
            return newcomer.keepsID && holder != newcomer.user.id ? .taken("legacyID") : .known(holder)
        }
        let isNameless = newcomer.user.legacyID == nil
        let isOthers = { (holder: UserID?) in holder != nil && holder != newcomer.user.id }
        if facts.hasID, !isNameless { return .taken("id") }
        // The id is in the file or derives from its content, so the person is known even if their identities have changed.
        if facts.hasID, newcomer.keepsID || !held.contains(where: isOthers) { return .known(newcomer.user.id) }
        if !newcomer.keepsID, isNameless, !facts.hasReviewers, let first = held.first ?? nil,
            held.allSatisfy({ $0 == first })
        {
            return .known(first)
        }
        let kinds = newcomer.identities.map(\.kind) + (newcomer.claim.map { [$0.kind] } ?? [])
        let taken = zip(kinds, held).first { isOthers($0.1) }
        return taken.map { .taken($0.0.rawValue) } ?? .added
    }
}

extension ImportedNewcomer {
    /// The queries on which the decision depends.
    var subjects: [UserQuestion.Subject] {
        [.user(user.id)] + (user.legacyID.map { [.legacyID($0)] } ?? [])
            + (identities + (claim.map { [$0] } ?? [])).map { .identity($0) }
    }

    /// The changes that add the user. Claims, registrations and invitations with their verified identities are removed.
    ///
    /// - Parameters:
    ///   - event: the event of the record.
    ///   - detail: the detail of the record.
    func changes(
        on facts: [UserQuestion.Subject: UserFacts], _ origin: RequestOrigin,
        as event: AuditEntry.Event = .imported, detail: String? = nil
    ) -> [UserChange] {
        var user = user
        // Above the epochs of all sessions from before a restore.
        user.epoch = subjects.compactMap { facts[$0]?.epoch }.reduce(user.epoch, max)
        var changes: [UserChange] = [.create(user)]
        for identity in identities {
            changes += facts[.identity(identity)].map { AccountTakeover.ending(identity, $0, origin) } ?? []
            changes.append(.assignIdentity(identity, to: user.id, isUsed: false))
        }
        if let claim { changes.append(.claim(claim, by: user.id)) }
        if let password { changes.append(.setPassword(password, of: user.id)) }
        return changes + [.audit(AuditEntry(event, user, origin, detail: detail))]
    }
}

extension ImportFacts {
    init(_ newcomer: ImportedNewcomer, _ facts: [UserQuestion.Subject: UserFacts]) {
        let own = facts[.user(newcomer.user.id)]
        let claimed = newcomer.claim.flatMap { facts[.identity($0)] }
        self.init(
            legacyHolder: newcomer.user.legacyID.flatMap { facts[.legacyID($0)]?.holder?.id },
            hasID: own?.holder != nil, isRemoved: own?.isRemoved == true,
            holders: newcomer.identities.map { facts[.identity($0)]?.holder?.id },
            claimHolder: (claimed?.holder ?? claimed?.claimant?.user)?.id,
            hasReviewers: newcomer.identities.contains { facts[.identity($0)]?.holder?.isForReview == true })
    }
}
