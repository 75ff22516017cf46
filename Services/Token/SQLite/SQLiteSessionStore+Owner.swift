import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import TokenCore

/// The sessions in their user's list.
extension SQLiteSessionStore {
    /// The condition for a live row; ?2 is the time.
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

    func liveCount(now: Int64) async throws -> Int {
        try await database.read { database in
            // The first argument is the owner; without one, all users' sessions count.
            try Int.fetchOne(
                database, sql: "SELECT count(*) FROM sessions WHERE ?1 IS NULL AND \(Self.isLive)",
                arguments: [nil as Int?, now]) ?? 0
        }
    }
}
