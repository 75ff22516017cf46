import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import TokenCore

/// The revocations in `tokens.sqlite`, together with the floors of changed rights.
struct SQLiteRevocations: RevocationStore {
    let database: SQLiteDatabase
    let userIDs: StoredUserID

    private static let columns = "sid, reason, access_expires_at"

    func unpublished(limit: Int) async throws -> [Revocation] {
        try await database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT \(Self.columns) FROM revocations WHERE published = 0 ORDER BY access_expires_at LIMIT ?
                    """)
            return try Row.fetchAll(statement, arguments: [limit]).compactMap(Self.revocation)
        }
    }

    func unpublishedCount() async throws -> Int64 {
        try await database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT (SELECT count(*) FROM revocations WHERE published = 0)
                        + (SELECT count(*) FROM version_floors WHERE published = 0)
                        + (SELECT count(*) FROM key_revocations WHERE published = 0)
                    """)
            return try Int64.fetchOne(statement) ?? 0
        }
    }

    func live(after: SessionID?, limit: Int, now: Int64) async throws -> [Revocation] {
        try await database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT \(Self.columns) FROM revocations WHERE sid > ? AND access_expires_at > ? ORDER BY sid LIMIT ?
                    """)
            return try Row.fetchAll(
                statement, arguments: [Data(after?.bytes ?? []), now - Revocation.extraSeconds, limit]
            )
            .compactMap(Self.revocation)
        }
    }

    func markPublished(_ sessions: [SessionID]) async throws {
        guard !sessions.isEmpty else { return }
        try await database.write { database in
            let statement = try database.cachedStatement(sql: "UPDATE revocations SET published = 1 WHERE sid = ?")
            for session in sessions { try statement.execute(arguments: [Data(session.bytes)]) }
        }
    }

    /// Returns the session's revocation while Redis may not know it.
    func unpublished(of id: SessionID, in database: Database) throws -> Revocation? {
        let statement = try database.cachedStatement(
            sql: "SELECT \(Self.columns) FROM revocations WHERE sid = ? AND published = 0")
        return try Row.fetchOne(statement, arguments: [Data(id.bytes)]).flatMap(Self.revocation)
    }

    func unpublished(ofUser userID: String) async throws -> [Revocation] {
        try await database.read { try unpublished(ofUser: userID, in: $0) }
    }

    /// Returns the revocations of all sessions of a user while Redis may not know them.
    func unpublished(ofUser userID: String, in database: Database) throws -> [Revocation] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(Self.columns) FROM revocations WHERE published = 0
                    AND sid IN (SELECT sid FROM sessions WHERE user_id = ? AND is_revoked = 1)
                """)
        return try Row.fetchAll(statement, arguments: [userIDs.value(userID)]).compactMap(Self.revocation)
    }

    private static func revocation(_ row: Row) -> Revocation? {
        guard let id = SessionID(bytes: Array(row[0] as Data)) else { return nil }
        return Revocation(sessionID: id, reason: RevocationReason(code: row[1]), accessExpiresAt: row[2])
    }
}
