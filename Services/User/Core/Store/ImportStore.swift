package import InternalAPI

/// Takes in users of other systems.
package protocol ImportStore: Sendable {
    /// Adds those whom the facts let in, in one transaction with an audit record for each; durable before it returns.
    ///
    /// - Returns: what became of each, in their order.
    func add(
        _ newcomers: [ImportedNewcomer], origin: RequestOrigin, now: Int64
    ) async throws -> [ImportVerdict]
}

/// A user who may be added, checked as far as that goes without the others.
package struct ImportedNewcomer: Sendable, Equatable {
    package let user: User
    /// Whether the file names the id, so that it is his or nobody's.
    package let keepsID: Bool
    /// The ids that earlier releases made of other forms of the phone number.
    package let formerIDs: [UserID]
    /// What is known to be his.
    package let identities: [ProvedIdentity]
    /// An address that he only says is his.
    package let claim: ProvedIdentity?
    package let password: StoredPassword?

    package init(
        user: User, keepsID: Bool, formerIDs: [UserID] = [], identities: [ProvedIdentity], claim: ProvedIdentity?,
        password: StoredPassword?
    ) {
        self.user = user
        self.keepsID = keepsID
        self.formerIDs = formerIDs
        self.identities = identities
        self.claim = claim
        self.password = password
    }
}

/// What is known of a newcomer before he is added.
package struct ImportFacts: Sendable, Equatable {
    /// The user with his legacy id.
    package let legacyHolder: UserID?
    /// Whether there is a user with his id.
    package let hasID: Bool
    /// The user with one of the former ids.
    package let formerHolder: UserID?
    /// Whether a user with this id or a former one was removed; a line without an id always has the same one.
    package let isRemoved: Bool
    /// Who holds each of his identities, in their order.
    package let holders: [UserID?]
    /// Who has the address that he claims, proved or not.
    package let claimHolder: UserID?

    package init(
        legacyHolder: UserID?, hasID: Bool, formerHolder: UserID? = nil, isRemoved: Bool, holders: [UserID?],
        claimHolder: UserID?
    ) {
        self.legacyHolder = legacyHolder
        self.hasID = hasID
        self.formerHolder = formerHolder
        self.isRemoved = isRemoved
        self.holders = holders
        self.claimHolder = claimHolder
    }
}

/// What becomes of a newcomer.
package enum ImportVerdict: Sendable, Equatable {
    case added
    /// He was added before.
    case known(UserID)
    /// Another user has what the member names.
    case taken(String)
    /// His data were removed at his wish.
    case removed
}

extension ImportVerdict {
    /// A pure function, so that a repeat comes to the same user.
    package static func judge(_ newcomer: ImportedNewcomer, _ facts: ImportFacts) -> ImportVerdict {
        if facts.isRemoved { return .removed }
        let held = facts.holders + (newcomer.claim == nil ? [] : [facts.claimHolder])
        // By what he is called first; his address and number may have changed since.
        if let holder = facts.legacyHolder {
            return newcomer.keepsID && holder != newcomer.user.id ? .taken("legacyID") : .known(holder)
        }
        let isNameless = newcomer.user.legacyID == nil
        let (mine, hasID) = (facts.formerHolder ?? newcomer.user.id, facts.hasID || facts.formerHolder != nil)
        let isOthers = { (holder: UserID?) in holder != nil && holder != mine }
        if hasID, !isNameless { return .taken("id") }
        // The id is the file's, or made of what the file says of him: he may have another address or number now.
        if hasID, newcomer.keepsID || !held.contains(where: isOthers) { return .known(mine) }
        if !newcomer.keepsID, isNameless, let first = held.first ?? nil,
            held.allSatisfy({ $0 == first })
        {
            return .known(first)
        }
        let kinds = newcomer.identities.map(\.kind) + (newcomer.claim.map { [$0.kind] } ?? [])
        let taken = zip(kinds, held).first { isOthers($0.1) }
        return taken.map { .taken($0.0.rawValue) } ?? .added
    }
}
