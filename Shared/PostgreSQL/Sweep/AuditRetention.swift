/// Removes the oldest audit records of each slot, and keeps the hash of the last one removed as the anchor of the remaining ones.
package struct AuditRetention: Sweep {
    package let kind = "audit"
    package let interval: Duration = .seconds(60)
    private let keptSeconds: Int64

    /// - Parameter days: The number of days for which records are kept (policy `audit.retentionDays`).
    package init(days: Int) { keptSeconds = Int64(days) * 86_400 }

    /// Looks at one slot: at the oldest of its records.
    package func look(after start: SQLValue?, now: Int64, in reading: Reading) throws -> SweepFinding {
        let rows = try reading.rows(
            """
            SELECT s.number, EXISTS (SELECT 1 FROM audit a WHERE a.slot = s.number AND a.number = s.removed + 1 AND a.at < $2)
            FROM audit_slots s WHERE s.number > $1 OR $1 IS NULL ORDER BY s.number LIMIT 1
            """, start, now - keptSeconds)
        let end = rows.first.map { $0.integer(0).sqlValue }
        return SweepFinding(end: end, hasExpired: rows.first?.boolean(1) ?? false, hasMore: end != nil)
    }

    /// Removes a slot's records up to the first one that is young enough: if a clock was set back, it keeps the older ones after it.
    package func remove(
        after start: SQLValue?, upTo end: SQLValue, now: Int64, in transaction: Transaction
    ) throws -> Int {
        let oldest = try transaction.rows(
            "SELECT number, hash, at < $2 FROM audit WHERE slot = $1 ORDER BY number LIMIT $3::bigint", end,
            now - keptSeconds, SweepLimits.rowsPerBatchMax)
        guard let last = oldest.prefix(while: { $0.boolean(2) }).last else { return 0 }
        transaction.run(
            "UPDATE audit_slots SET removed = $2, removed_hash = $3 WHERE number = $1 AND removed < $2", end,
            last.integer(0), last.bytes(1))
        return try transaction.rows(
            "DELETE FROM audit WHERE slot = $1 AND number <= $2 RETURNING 1", end, last.integer(0)
        ).count
    }
}
