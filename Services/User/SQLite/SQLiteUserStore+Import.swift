import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import UserCore

extension SQLiteUserStore: ImportStore {
    /// Those of one call see each other: the second of two alike is known.
    func add(
        _ newcomers: [ImportedNewcomer], origin: RequestOrigin, now: Int64
    ) async throws -> [ImportVerdict] {
        guard !newcomers.isEmpty else { return [] }
        return try await database.write { database in
            try newcomers.map { newcomer in
                let verdict = ImportVerdict.judge(newcomer, try Self.importFacts(newcomer, in: database))
                if verdict == .added { try Self.add(newcomer, origin, now, in: database) }
                return verdict
            }
        }
    }

    private static func importFacts(_ newcomer: ImportedNewcomer, in database: Database) throws -> ImportFacts {
        let (identities, users) = (IdentityRows(database: database), UserRows(database: database))
        let id = newcomer.user.id
        let claimHolder = try newcomer.claim.flatMap { claim in
            try identities.holder(of: claim) ?? UnprovedAddressRows(database: database).claimant(of: claim)
        }
        return ImportFacts(
            legacyHolder: try newcomer.user.legacyID.flatMap(users.holder(ofLegacyID:)),
            hasID: try users.user(id) != nil,
            formerHolder: try newcomer.formerIDs.first { try users.user($0) != nil },
            isRemoved: try ([id] + newcomer.formerIDs).contains(where: RemovalRows(database: database).hasRemoved),
            holders: try newcomer.identities.map { try identities.holder(of: $0) }, claimHolder: claimHolder)
    }

    private static func add(
        _ newcomer: ImportedNewcomer, _ origin: RequestOrigin, _ now: Int64, in database: Database
    ) throws {
        var user = newcomer.user
        // Above all sessions from before a restore.
        user.epoch = max(user.epoch, try RestoreFloor.number(in: database))
        try UserRows(database: database).insert(user)
        for identity in newcomer.identities {
            try release(identity, origin, now, in: database)
            try IdentityRows(database: database).assign(identity, to: user.id, isUsed: false, now: now)
        }
        if let claim = newcomer.claim {
            try UnprovedAddressRows(database: database).insert(claim.value, of: user.id, now: now)
        }
        if let password = newcomer.password {
            try AccountRows(database: database).setPassword(password, of: user.id)
        }
        let audit = AuditEntry(event: .imported, subject: user.pseudonym, origin: origin)
        try AuditRows(database: database).append(audit, now: now)
    }

    /// Ends what others have begun with an address or number, now that somebody's it is known to be.
    private static func release(
        _ identity: ProvedIdentity, _ origin: RequestOrigin, _ now: Int64, in database: Database
    ) throws {
        let accounts = AccountRows(database: database)
        if let claimant = try Facts(database: database).claimant(of: identity) {
            try UnprovedAddressRows(database: database).delete(identity)
            let audit = AuditEntry(event: .addressLost, subject: claimant.user.pseudonym, origin: origin)
            try AuditRows(database: database).append(audit, now: now)
        }
        if identity.kind == .email { try accounts.endRegistrations(of: identity.value) }
        if let invitation = try accounts.invitation(of: identity, openAt: now) {
            try accounts.endInvitation(invitation)
        }
    }
}
