import GRDB
import InternalAPI
import SQLiteStore
import Storage
import UserCore

extension SQLiteUserStore: AccountStore {
    /// On the writer's connection: a write follows nearly always.
    func accountFacts(_ question: AccountQuestion) async throws -> AccountFacts {
        try await database.readOnWriter { try Self.accountFacts(question, in: $0) }
    }

    func apply(_ changes: [AccountChange], on facts: AccountFacts, now: Int64) async throws -> Applied {
        try await database.write { database in
            guard try Self.accountFacts(facts.question, in: database) == facts else { return .stale }
            for change in changes { try AccountChanges(database: database, now: now).write(change) }
            return .applied
        }
    }

    func invitation(of identity: ProvedIdentity, now: Int64) async throws -> Invitation? {
        try await database.read { try AccountRows(database: $0).invitation(of: identity, openAt: now) }
    }

    func invitations(limit: Int, now: Int64) async throws -> [Invitation] {
        try await database.read { try AccountRows(database: $0).invitations(openAt: now, limit: limit) }
    }

    func isHeld(_ identity: ProvedIdentity) async throws -> Bool {
        try await database.read { try IdentityRows(database: $0).holder(of: identity) != nil }
    }

    private static func accountFacts(_ question: AccountQuestion, in database: Database) throws -> AccountFacts {
        let (rows, users) = (AccountRows(database: database), UserRows(database: database))
        var (link, holder, identity): (AccountLink?, User?, ProvedIdentity?)
        switch question.subject {
        case .identity(let asked): identity = asked
        case .link(let hash):
            link = try rows.link(hash, openAt: question.askedAt)
            identity = link.map { ProvedIdentity(kind: .email, value: $0.address) }
        case .user(let id):
            holder = try users.user(id)
            identity = holder?.email.map { ProvedIdentity(kind: .email, value: $0) }
        }
        let address = identity.flatMap { $0.kind == .email ? $0.value : nil }
        if holder == nil, let identity {
            holder = try IdentityRows(database: database).holder(of: identity).flatMap(users.user)
        }
        return AccountFacts(
            question: question, epoch: try RestoreFloor.number(in: database), address: address, holder: holder,
            claimant: holder == nil ? try identity.flatMap { try claimant(of: $0, in: database) } : nil,
            password: try holder.flatMap { try rows.password(of: $0.id) },
            registrations: try address.map { try rows.registrations(of: $0, openAt: question.askedAt) } ?? [],
            invitation: try identity.flatMap { try rows.invitation(of: $0, openAt: question.askedAt) }, link: link,
            firstAnswer: try question.call.flatMap { try rows.firstAnswer($0, at: question.askedAt) })
    }
}

/// Writes what was decided about accounts, one change after the other, inside the caller's transaction.
struct AccountChanges {
    let database: Database
    /// Unix time in seconds.
    let now: Int64

    func write(_ change: AccountChange) throws {
        let (rows, users) = (AccountRows(database: database), UserRows(database: database))
        let (identities, claims) = (IdentityRows(database: database), UnprovedAddressRows(database: database))
        switch change {
        case .create(let user, let identity):
            try users.insert(user)
            try identities.assign(identity, to: user.id, now: now)
        case .update(let user): try users.update(user)
        case .claimBecomesIdentity(let identity, let user):
            try claims.delete(identity)
            try identities.assign(identity, to: user, now: now)
        case .endClaim(let identity): try claims.delete(identity)
        case .setPassword(let password, let user): try rows.setPassword(password, of: user)
        case .removePassword(let user): try rows.removePassword(of: user)
        case .addRegistration(let registration): try rows.insert(registration)
        case .endRegistration(let id): try rows.endRegistration(id)
        case .endRegistrations(let address): try rows.endRegistrations(of: address)
        case .addLink(let link): try rows.insert(link)
        case .endLinks(let subject): try rows.endLinks(of: subject)
        case .addInvitation(let invitation): try rows.insert(invitation)
        case .endInvitation(let invitation): try rows.endInvitation(invitation)
        case .audit(let entry): try AuditRows(database: database).append(entry, now: now)
        case .tell(let message, let user, let dueAt):
            try OutboxRows(database: database).insert(message, about: user, dueAt: dueAt, now: now)
        case .answer(let answer): try rows.insert(answer)
        }
    }
}
