import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import TokenCore

extension SQLiteSessionStore {
    func removeEnded(ofUser userID: String, limit: Int) async throws -> Int {
        try await database.write { database in
            let sessions = try Row.fetchAll(
                database.cachedStatement(sql: Self.ended), arguments: [userIDs.value(userID), limit])
            let floor = try database.cachedStatement(sql: "DELETE FROM version_floors WHERE sid = ?")
            let session = try database.cachedStatement(sql: "DELETE FROM sessions WHERE locator = ?")
            for row in sessions {
                try floor.execute(arguments: [row[1] as Data])
                try session.execute(arguments: [row[0] as Int64])
            }
            return sessions.count
        }
    }

    func forgetEpoch(ofUser userID: String, at forgottenAt: Int64, now: Int64) async throws {
        try await database.write { database in
            let user = userIDs.value(userID)
            try database.cachedStatement(
                sql: "UPDATE user_epochs SET expires_at = ? WHERE user_id = ? AND expires_at IS NULL"
            ).execute(arguments: [forgottenAt, user])
            // A repeat leaves no second record.
            guard database.changesCount > 0 else { return }
            try AuditRecord(event: .userRemoved, userID: user).insert(at: now, into: database)
        }
    }

    /// Selects the revoked sessions. A revocation that Redis may not know yet stays until it does, and a repeat finds it by its
    /// session.
    private static let ended = """
        SELECT locator, sid FROM sessions WHERE user_id = ? AND is_revoked = 1
            AND NOT EXISTS (SELECT 1 FROM revocations WHERE revocations.sid = sessions.sid AND published = 0)
        LIMIT ?
        """
}
