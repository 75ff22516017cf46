import Storage

/// Removes expired sessions, and keeps the newest time at which each user used them.
///
/// The time is written here and not by a refresh. A session in which somebody else acts as the user is no use of theirs. A user
/// without a raised epoch gets a row for it, with the lowest epoch. The row is removed with the user, like any other: `RemoveUser`
/// leaves no session that a later sweep could find.
struct SessionSweep: Sweep {
    let rows: ExpirySweep

    var kind: String { rows.kind }
    var interval: Duration { rows.interval }

    private static let keeping: SQL = """
        INSERT INTO user_epochs (user_id, epoch, last_used_at)
        SELECT user_id, 0, last_used_at FROM sessions WHERE locator = $1 AND actor IS NULL\(SQL.forUpdate)
        ON CONFLICT (user_id) DO UPDATE SET
            last_used_at = greatest(user_epochs.last_used_at, excluded.last_used_at)
        """

    func find(from start: SQLValue, now: Int64, in reader: any StatementReader) throws -> SweepFinding {
        try rows.find(from: start, now: now, in: reader)
    }

    func remove(_ keys: [SQLValue], now: Int64, in transaction: any Transaction) throws -> Int {
        try transaction.run(keys.map { Statement(Self.keeping, $0) })
        return try rows.remove(keys, now: now, in: transaction)
    }
}
