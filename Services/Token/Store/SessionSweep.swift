import Storage

/// Removes expired sessions, and keeps the newest time at which each user used them.
///
/// The time is written here, so that a refresh writes nothing for it.
struct SessionSweep: Sweep {
    let rows: ExpirySweep

    var kind: String { rows.kind }
    var interval: Duration { rows.interval }

    private static let keeping: SQL = """
        UPDATE user_epochs SET last_used_at = s.last_used_at FROM sessions AS s
        WHERE s.locator = $1 AND user_epochs.user_id = s.user_id
            AND (user_epochs.last_used_at IS NULL OR user_epochs.last_used_at < s.last_used_at)
        """

    func find(from start: SQLValue, now: Int64, in reader: any StatementReader) throws -> SweepFinding {
        try rows.find(from: start, now: now, in: reader)
    }

    func remove(_ keys: [SQLValue], now: Int64, in transaction: any Transaction) throws -> Int {
        try transaction.run(keys.map { Statement(Self.keeping, $0) })
        return try rows.remove(keys, now: now, in: transaction)
    }
}
