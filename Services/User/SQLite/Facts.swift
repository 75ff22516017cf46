import GRDB
import InternalAPI
import SQLiteStore
import UserCore

/// Reads the facts about users for queries, inside the caller's read or transaction.
struct Facts {
    let database: Database

    private var users: UserRows { UserRows(database: database) }
    private var accounts: AccountRows { AccountRows(database: database) }

    func callAsFunction(_ question: UserQuestion) throws -> UserFacts {
        var facts = UserFacts(question)
        switch question.subject {
        case .identity(let identity): facts.identity = identity
        case .atProvider(let identity):
            try addAtProvider(identity, to: &facts)
            return facts
        case .link(let hash):
            facts.link = try accounts.link(hash, openAt: question.askedAt)
            facts.identity = facts.link.map { .email($0.address) }
        case .account(let id):
            facts.holder = try users.user(id)
            facts.identity = facts.holder?.email.map { .email($0) }
        case .user(let id):
            facts.holder = try users.user(id)
            facts.isRemoved = try facts.holder == nil && RemovalRows(database: database).hasRemoved(id)
            return facts
        case .legacyID(let text):
            facts.holder = try users.holder(ofLegacyID: text).flatMap(users.user)
            return facts
        }
        if facts.holder == nil, let identity = facts.identity {
            facts.holder = try IdentityRows(database: database).holder(of: identity).flatMap(users.user)
        }
        if facts.holder != nil, let identity = facts.identity, identity.kind == .apple {
            facts.tokensFrom = try IdentityRows(database: database).tokensFrom(of: identity)
        }
        if let holder = facts.holder {
            facts.password = try accounts.password(of: holder.id)
        }
        if !facts.isOwned, let identity = facts.identity { try addUnowned(identity, to: &facts) }
        if !facts.isOwned || facts.holder?.deletion != nil {
            facts.epoch = try RestoreFloor.number(in: database)
        }
        facts.earlier = try question.proofID.flatMap { try earlier($0, facts.holder) }
        facts.firstAnswer = try question.call.flatMap { try accounts.firstAnswer($0, at: question.askedAt) }
        return facts
    }

    private func addAtProvider(_ identity: ProvedIdentity, to facts: inout UserFacts) throws {
        let identities = IdentityRows(database: database)
        facts.identity = identity
        facts.firstAnswer = try facts.question.call.flatMap {
            try accounts.firstAnswer($0, at: facts.question.askedAt)
        }
        guard let holder = try identities.holder(of: identity).flatMap(users.user) else { return }
        facts.holder = holder
        facts.usedAt = try identities.lastUse(of: identity)
        facts.hasOtherIdentity = try identities.hasOther(holder.id, than: identity)
    }

    private func addUnowned(_ identity: ProvedIdentity, to facts: inout UserFacts) throws {
        let now = facts.question.askedAt
        facts.claimant = try claimant(of: identity)
        facts.invitation = try accounts.invitation(of: identity, openAt: now)
        facts.registrations = try facts.address.map { try accounts.registrations(of: $0, openAt: now) } ?? []
    }

    private func claimant(of identity: ProvedIdentity) throws -> Claimant? {
        guard let id = try UnprovedAddressRows(database: database).claimant(of: identity), let user = try users.user(id)
        else { return nil }
        return Claimant(user: user, hasProof: try IdentityRows(database: database).hasAny(id))
    }

    private func earlier(_ proofID: String, _ holder: User?) throws -> EarlierSignIn? {
        try ResolutionRows(database: database).resolution(ofProof: proofID).map { resolution, served in
            let user = resolution.userID == holder?.id ? holder : try users.user(resolution.userID)
            return EarlierSignIn(resolution: resolution, user: user, served: served)
        }
    }
}
