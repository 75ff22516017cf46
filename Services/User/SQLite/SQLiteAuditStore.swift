import GRDB
import SQLiteStore
import Storage
import UserCore

/// Adds audit records from Redis streams to `users.sqlite`.
struct SQLiteAuditStore: AuditStore {
    let database: SQLiteDatabase

    func add(_ entries: [AuditStreamEntry], lease: Lease, now: Int64) async throws -> Bool {
        try await database.write { database in
            guard try lease.take(now: now, in: database) else { return false }
            let moved = MovedAuditRows(database: database)
            for entry in entries where try moved.note(entry.id, now: now) {
                try AuditRows(database: database).append(entry.entry, now: entry.time)
            }
            // Removes up to twice as many as are added, so that the table shrinks again.
            try moved.forgetOld(now: now, limit: entries.count * 2)
            return true
        }
    }
}
