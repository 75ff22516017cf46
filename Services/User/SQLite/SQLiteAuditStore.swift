import GRDB
import SQLiteStore
import Storage
import UserCore

/// The audit in `users.sqlite`, as far as other services fill it.
struct SQLiteAuditStore: AuditStore {
    let database: SQLiteDatabase

    func add(_ entries: [AuditStreamEntry], lease: Lease, now: Int64) async throws -> Bool {
        try await database.write { database in
            guard try lease.take(now: now, in: database) else { return false }
            let moved = MovedAuditRows(database: database)
            for entry in entries where try moved.note(entry.id, now: now) {
                try AuditRows(database: database).append(entry.entry, now: entry.time)
            }
            // Twice as many as come, so that the table shrinks again.
            try moved.forgetOld(now: now, limit: entries.count * 2)
            return true
        }
    }
}
