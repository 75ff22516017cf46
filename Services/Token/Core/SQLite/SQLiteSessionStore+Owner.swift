internal import Foundation
internal import GRDB
internal import InternalAPI
internal import SQLiteStore

/// Sessions as their owner sees and ends them.
extension SQLiteSessionStore {
    /// Of a row: ?2 is the time.
    static let isLive = """
        is_revoked = 0 AND idle_expires_at > ?2 AND (absolute_expires_at IS NULL OR absolute_expires_at > ?2)
        """

    func session(named id: SessionID) async throws -> SessionRecord? {
        try await database.read { try record(named: id, in: $0) }
    }

    func sessions(ofUser userID: String, limit: Int, now: Int64) async throws -> [SessionRecord] {
        try await database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT \(SessionRecord.columns) FROM sessions WHERE user_id = ?1 AND \(Self.isLive)
                    ORDER BY created_at DESC, locator DESC LIMIT ?3
                    """)
            return try statement.all([userIDs.value(userID), now, limit]) { SessionRecord($0, userIDs: userIDs) }
        }
    }

    func liveCounts(ofUsers userIDs: [String], now: Int64) async throws -> [Int] {
        try await database.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT count(*) FROM sessions WHERE user_id = ?1 AND \(Self.isLive)")
            return try userIDs.map { try Int.fetchOne(statement, arguments: [self.userIDs.value($0), now]) ?? 0 }
        }
    }

    func end(
        _ id: SessionID, ofUser userID: String, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation]? {
        try await database.write { database in
            guard let record = try record(named: id, in: database), record.userID == userID else { return nil }
            if record.revokedFor == nil { try revoke(record, reason: reason, now: now, in: database) }
            return try unpublished(of: id, in: database).map { [$0] } ?? []
        }
    }

    func endAll(
        ofUser userID: String, except id: SessionID?, reason: RevocationReason, now: Int64
    ) async throws -> [Revocation] {
        try await database.write { database in
            for record in try liveRecords(ofUser: userID, except: id, in: database) {
                try revoke(record, reason: reason, now: now, in: database)
            }
            return try unpublished(ofUser: userID, in: database)
        }
    }

    func liveRecords(
        ofUser userID: String, except id: SessionID?, in database: Database
    ) throws -> [SessionRecord] {
        let statement = try database.cachedStatement(
            sql: "SELECT \(SessionRecord.columns) FROM sessions WHERE user_id = ? AND is_revoked = 0 AND sid <> ?")
        return try statement.all([userIDs.value(userID), Data(id?.bytes ?? [])]) {
            SessionRecord($0, userIDs: userIDs)
        }
    }
}
