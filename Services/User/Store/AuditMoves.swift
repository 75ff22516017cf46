import Storage
import UserCore

/// Adds audit records from Redis streams.
struct AuditMoves: AuditStore {
    /// How many seconds ids are kept. A removed entry can return if Redis loses its last second or is restored.
    static let memorySeconds: Int64 = 7 * 86_400

    let database: any StorageDatabase

    private static let noting: SQL = """
        INSERT INTO audit_moved (stream_id, moved_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1
        """
    /// Removes up to twice as many as are added, so that the table shrinks again.
    private static let forgetting: SQL = """
        DELETE FROM audit_moved WHERE stream_id IN
            (SELECT stream_id FROM audit_moved WHERE moved_at < $1 ORDER BY moved_at LIMIT $2)
        """

    func add(_ entries: [AuditStreamEntry], lease: Lease, now: Int64) async throws -> Bool {
        try await database.write { transaction in
            guard try lease.take(now: now, in: transaction) else { return false }
            let noted = try transaction.results(entries.map { Statement(Self.noting, $0.id, now) })
            var counts: [Int64: [String: Int64]] = [:]
            for (entry, rows) in zip(entries, noted) where !rows.isEmpty {
                if entry.isRecord { try AuditRows.append(entry.entry, now: entry.time, in: transaction) }
                // A time of another clock must not make rows that the charts never show.
                let isRecent = (now - 29 * HourlyCounts.daySeconds...now).contains(entry.time)
                counts[(isRecent ? entry.time : now) / HourlyCounts.hourSeconds, default: [:]]
                    .merge(entry.counts, uniquingKeysWith: &+)
            }
            for (hour, counts) in counts.sorted(by: { $0.key < $1.key }) {
                try HourlyCounts.add(counts, at: hour * HourlyCounts.hourSeconds, in: transaction)
            }
            try transaction.run(Self.forgetting, now - Self.memorySeconds, entries.count * 2)
            return true
        }
    }
}
