/// Removes the oldest audit records of each slot, and keeps the hash of the last one removed as the anchor of the remaining ones.
package struct AuditRetention: Sweep {
    package let kind = "audit"
    package let interval: Duration = .seconds(60)
    private let keptSeconds: Int64

    /// - Parameter days: The number of days for which records are kept (policy `audit.retentionDays`).
    package init(days: Int) { keptSeconds = Int64(days) * 86_400 }

    private static let slot: SQL = """
        SELECT s.number, EXISTS (SELECT 1 FROM audit AS a WHERE a.slot = s.number AND a.number = s.removed + 1 AND a.at < $2)
        FROM audit_slots AS s WHERE s.number >= coalesce(CAST($1 AS bigint), 0) ORDER BY s.number LIMIT 2
        """
    static let oldest: SQL = "SELECT number, at, hash FROM audit WHERE slot = $1 ORDER BY number LIMIT $2"
    /// The anchor only moves forward, since a replica may have been faster.
    static let anchor: SQL = "UPDATE audit_slots SET removed = $2, removed_hash = $3 WHERE number = $1 AND removed < $2"
    static let removal: SQL = "DELETE FROM audit WHERE slot = $1 AND number <= $2 RETURNING 1"

    /// Looks at one slot: at the oldest of its records. The slot stays until none of them is too old.
    package func find(from start: SQLValue, now: Int64, in reader: any StatementReader) throws -> SweepFinding {
        let slots = try reader.rows(Self.slot, start, now - keptSeconds)
        guard let slot = slots.first else { return SweepFinding(keys: [], next: .null) }
        guard !slot.boolean(1) else { return SweepFinding(keys: [slot.value(0)], next: slot.value(0)) }
        return SweepFinding(keys: [], next: slots.count > 1 ? slots[1].value(0) : .null)
    }

    /// Removes a slot's records up to the first one that is young enough: if a clock was set back, it keeps the older ones after it.
    package func remove(_ keys: [SQLValue], now: Int64, in transaction: any Transaction) throws -> Int {
        guard let slot = keys.first else { return 0 }
        let oldest = try transaction.rows(Self.oldest, slot, SweepLimits.rowsPerBatchMax)
        guard let last = oldest.prefix(while: { $0.integer(1) < now - keptSeconds }).last else { return 0 }
        try transaction.run(Self.anchor, slot, last.integer(0), last.bytes(2))
        return try transaction.rows(Self.removal, slot, last.integer(0)).count
    }
}
