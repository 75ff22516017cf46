import GRDB
import InternalAPI
import SQLiteStore
import Storage
import UserCore

extension SQLiteUserStore {
    /// On the writer's connection: a write follows nearly always.
    func signInFacts(
        _ identity: ProvedIdentity, proofID: String, now: Int64
    ) async throws -> SignInFacts {
        try await database.readOnWriter { try Self.facts(identity, proofID: proofID, now: now, in: $0) }
    }

    func apply(_ changes: SignInChanges, on facts: SignInFacts, now: Int64) async throws -> Applied {
        try await database.write { database in
            let proof = changes.proof
            guard try Self.facts(proof.identity, proofID: proof.id, now: facts.askedAt, in: database) == facts else {
                return .stale
            }
            try Self.write(changes, now: now, in: database)
            return .applied
        }
    }

    func noteUses(_ times: [ProvedIdentity: Int64]) async throws {
        try await database.write { database in
            for (identity, time) in times { try IdentityRows(database: database).touch(identity, now: time) }
        }
    }

    private static func facts(
        _ identity: ProvedIdentity, proofID: String, now: Int64, in database: Database
    ) throws -> SignInFacts {
        let accounts = AccountRows(database: database)
        let isAddress = identity.kind == .email
        let users = UserRows(database: database)
        let holder = try IdentityRows(database: database).holder(of: identity).flatMap(users.user)
        let password = try holder.flatMap { try accounts.password(of: $0.id) }
        return SignInFacts(
            askedAt: now, epoch: try RestoreFloor.number(in: database), holder: holder,
            passwordVersion: isAddress ? password?.version : nil, passwordChangedAt: password?.changedAt,
            hasRegistrations: isAddress ? try accounts.hasRegistrations(identity.value) : false,
            invitation: holder == nil ? try accounts.invitation(of: identity, openAt: now) : nil,
            claimant: holder == nil ? try claimant(of: identity, in: database) : nil,
            earlier: try ResolutionRows(database: database).resolution(ofProof: proofID).map {
                EarlierSignIn(resolution: $0, user: try users.user($0.userID))
            })
    }

    static func claimant(of identity: ProvedIdentity, in database: Database) throws -> Claimant? {
        guard let id = try UnprovedAddressRows(database: database).claimant(of: identity),
            let user = try UserRows(database: database).user(id)
        else { return nil }
        return Claimant(user: user, hasProof: try IdentityRows(database: database).hasAny(id))
    }

    private static func write(_ changes: SignInChanges, now: Int64, in database: Database) throws {
        let (users, identities) = (UserRows(database: database), IdentityRows(database: database))
        for entry in changes.audit { try AuditRows(database: database).append(entry, now: now) }
        if changes.endsClaim { try UnprovedAddressRows(database: database).delete(changes.proof.identity) }
        if let user = changes.changed {
            try users.update(user)
            if changes.claimBecomesIdentity { try identities.assign(changes.proof.identity, to: user.id, now: now) }
            let outbox = OutboxRows(database: database)
            for message in changes.messages { try outbox.insert(message, about: user.id, dueAt: now, now: now) }
        }
        if let newcomer = changes.newcomer {
            try users.insert(newcomer)
            try identities.assign(changes.proof.identity, to: newcomer.id, now: now)
        }
        for change in changes.ofAccounts { try AccountChanges(database: database, now: now).write(change) }
        guard let resolution = changes.resolution else { return }
        try ResolutionRows(database: database).insert(
            resolution, proofID: changes.proof.id, proofExpiresAt: changes.proof.expiresAt)
        if changes.newcomer == nil, !changes.claimBecomesIdentity {
            try identities.touch(changes.proof.identity, now: now)
        }
    }
}
