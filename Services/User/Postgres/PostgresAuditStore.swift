import PostgreSQL
import Storage
import UserCore

/// Adds audit records from Redis streams.
struct PostgresAuditStore: AuditStore {
    /// How many seconds ids are kept. A removed entry can return if Redis loses its last second or is restored.
    private static let memorySeconds: Int64 = 7 * 86_400

    let database: PostgreSQLDatabase

    func add(_ entries: [AuditStreamEntry], lease: Lease, now: Int64) async throws -> Bool {
        try await database.write { transaction in
            guard try lease.take(in: transaction) else { return false }
            let added = try transaction.rows(
                """
                INSERT INTO audit_moved (stream_id, moved_at) SELECT id, $2::bigint FROM unnest($1::text[]) AS t (id)
                ON CONFLICT DO NOTHING RETURNING stream_id
                """, SQLValue.array(entries.map(\.id)), now)
            var fresh = Set(added.map { $0.text(0) })
            for entry in entries where fresh.remove(entry.id) != nil {
                try AuditRows.append(entry.entry, now: entry.time, in: transaction)
            }
            // Removes up to twice as many as are added, so that the table shrinks again.
            transaction.run(
                """
                DELETE FROM audit_moved WHERE stream_id IN
                    (SELECT stream_id FROM audit_moved WHERE moved_at < $1 ORDER BY moved_at LIMIT $2::bigint)
                """, now - Self.memorySeconds, entries.count * 2)
            return true
        }
    }
}
