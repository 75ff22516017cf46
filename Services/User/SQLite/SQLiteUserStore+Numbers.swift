import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import Storage
import UserCore

extension SQLiteUserStore: NumberStore {
    private static let listed = """
        SELECT value, user_id FROM identities
            WHERE kind = 'phone' AND value >= :prefix AND value < :end AND value > :last
        UNION ALL
        SELECT value, NULL FROM invitations
            WHERE kind = 'phone' AND value >= :prefix AND value < :end AND value > :last AND expires_at > :now
        ORDER BY value LIMIT :limit
        """

    func numbers(prefix: String, behind last: String?, limit: Int, now: Int64) async throws -> [HeldNumber] {
        try await database.read { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(sql: Self.listed),
                // Digits only follow a prefix, and `:` comes after the last of them.
                arguments: ["prefix": prefix, "end": prefix + ":", "last": last ?? "", "now": now, "limit": limit])
            return try rows.map { row in
                HeldNumber(
                    number: try row.decode(String.self, atIndex: 0),
                    user: try row.decode(Data?.self, atIndex: 1).flatMap { UserID(bytes: Array($0)) })
            }
        }
    }

    func rename(
        _ renamings: [Renaming], isDryRun: Bool, origin: RequestOrigin, now: Int64
    ) async throws -> [RenamingOutcome] {
        guard !renamings.isEmpty else { return [] }
        return isDryRun
            ? try await database.read { database in try Self.dryRun(renamings, now, in: database) }
            : try await database.write { database in
                try renamings.map { try Self.rename($0, origin, now, in: database) }
            }
    }

    /// Two numbers of one page that would become the same collide as they would in earnest.
    private static func dryRun(_ renamings: [Renaming], _ now: Int64, in database: Database) throws -> [RenamingOutcome]
    {
        var given: [ProvedIdentity: UserID?] = [:]
        return try renamings.map { renaming in
            let new = ProvedIdentity.phone(renaming.to)
            if let holder = given[new] { return .taken(by: holder) }
            let outcome = try judge(renaming, now, in: database)
            if outcome == .renamed { given.updateValue(renaming.held.user, forKey: new) }
            return outcome
        }
    }

    private static func judge(_ renaming: Renaming, _ now: Int64, in database: Database) throws -> RenamingOutcome {
        let (identities, accounts) = (IdentityRows(database: database), AccountRows(database: database))
        let (old, new) = (ProvedIdentity.phone(renaming.held.number), ProvedIdentity.phone(renaming.to))
        if let holder = try identities.holder(of: new) { return .taken(by: holder) }
        if let user = renaming.held.user { return try identities.holder(of: old) == user ? .renamed : .gone }
        guard try accounts.invitation(of: old, openAt: now) != nil else { return .gone }
        return try accounts.invitation(of: new, openAt: now) == nil ? .renamed : .taken(by: nil)
    }

    private static func rename(
        _ renaming: Renaming, _ origin: RequestOrigin, _ now: Int64, in database: Database
    ) throws -> RenamingOutcome {
        let outcome = try judge(renaming, now, in: database)
        guard outcome == .renamed else { return outcome }
        let (old, new) = (ProvedIdentity.phone(renaming.held.number), ProvedIdentity.phone(renaming.to))
        var subject = Pseudonym.nobody
        if let id = renaming.held.user {
            try IdentityRows(database: database).rename(old, to: new)
            if let user = try UserRows(database: database).user(id) { subject = user.pseudonym }
        } else if let invitation = try AccountRows(database: database).invitation(of: old, openAt: now) {
            try AccountRows(database: database).rename(invitation, to: new)
        }
        try AuditRows(database: database).append(
            AuditEntry(event: .renumbered, subject: subject, origin: origin, detail: "phone"), now: now)
        return .renamed
    }
}
