import Foundation
import GRDB
import SQLiteStore
import UserCore

extension SQLiteUserStore: SupportStore {
    func look(for key: UserKey, origin: RequestOrigin, now: Int64) async throws -> SeenUser? {
        let seen = try await database.read { database in
            try Self.id(of: key, in: database).flatMap { try Self.see($0, in: database) }
        }
        let detail = seen == nil ? "find: nobody" : "find"
        try await note(.lookedUp, detail, subject: seen?.user.pseudonym ?? .nobody, origin: origin, now: now)
        return seen
    }

    func look(
        behind last: UserID?, limit: Int, by looker: Pseudonym, origin: RequestOrigin, now: Int64
    ) async throws -> [SeenUser] {
        let seen = try await database.read { database in
            try Self.ids(behind: last, limit: limit, in: database).compactMap { try Self.see($0, in: database) }
        }
        try await note(.lookedUp, "list: \(seen.count)", subject: looker, origin: origin, now: now)
        return seen
    }

    func noteRefusedLook(by asker: Pseudonym, origin: RequestOrigin, now: Int64) async throws {
        try await note(.lookRefused, "list", subject: asker, origin: origin, now: now)
    }

    private func note(
        _ event: AuditEntry.Event, _ detail: String, subject: Pseudonym, origin: RequestOrigin, now: Int64
    ) async throws {
        try await database.write { database in
            try AuditRows(database: database).append(
                AuditEntry(event: event, subject: subject, origin: origin, detail: detail), now: now)
        }
    }

    private static func id(of key: UserKey, in database: Database) throws -> UserID? {
        switch key {
        case .id(let id): id
        case .identity(let identity): try IdentityRows(database: database).holder(of: identity)
        }
    }

    /// Each is a walk along the ids from where the page begins, however many users stand before it.
    static let newestIDs = "SELECT id FROM users ORDER BY id DESC LIMIT ?"
    static let olderIDs = "SELECT id FROM users WHERE id < ? ORDER BY id DESC LIMIT ?"

    private static func ids(behind last: UserID?, limit: Int, in database: Database) throws -> [UserID] {
        let statement = try database.cachedStatement(sql: last == nil ? newestIDs : olderIDs)
        let arguments: StatementArguments = last.map { [Data($0.bytes), limit] } ?? [limit]
        return try Data.fetchAll(statement, arguments: arguments).compactMap { UserID(bytes: Array($0)) }
    }

    private static func see(_ id: UserID, in database: Database) throws -> SeenUser? {
        guard let user = try UserRows(database: database).user(id) else { return nil }
        return SeenUser(user: user, lastSignInAt: try IdentityRows(database: database).lastUse(by: id))
    }
}
