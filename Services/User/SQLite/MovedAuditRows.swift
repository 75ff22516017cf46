import GRDB
import SQLiteStore
import UserCore

/// Reads and writes the ids of stream entries that are in `audit` already.
struct MovedAuditRows {
    /// How many seconds ids are kept. A removed entry can return if Redis loses its last second or is restored.
    static let memorySeconds: Int64 = 7 * 86_400

    let database: Database

    /// Stores the id of an entry.
    /// - Returns: whether the entry is to be moved, because it was not moved before.
    func note(_ id: AuditStreamEntry.ID, now: Int64) throws -> Bool {
        try database.run(
            "INSERT INTO audit_moved (stream_id, moved_at) VALUES (?, ?) ON CONFLICT DO NOTHING", [id, now])
        return database.changesCount > 0
    }

    /// Removes ids whose entries cannot return any more, at most `limit` of them.
    func forgetOld(now: Int64, limit: Int) throws {
        try database.run(
            """
            DELETE FROM audit_moved WHERE stream_id IN
                (SELECT stream_id FROM audit_moved WHERE moved_at < ? ORDER BY moved_at LIMIT ?)
            """, [now - Self.memorySeconds, limit])
    }
}
