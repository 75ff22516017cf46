/// Removes the rows of a table that have expired.
///
/// An index on the expiry would make each write that changes it another row version in every index. Instead, this reads all rows in
/// the order of their key, a bounded number at a time.
package struct ExpirySweep: Sweep {
    package let kind: String
    package let interval: Duration = .seconds(600)
    private let outlivesSeconds: Int64
    private let search: String
    private let removal: String

    /// - Parameters:
    ///   - key: The primary key's column.
    ///   - expiry: The column with the Unix time at which a row expires, or an expression for it.
    ///   - outlivesSeconds: How many seconds rows are kept after that.
    package init(table: String, key: String, expiry: String, outlivesSeconds: Int64 = 0) {
        kind = table
        self.outlivesSeconds = outlivesSeconds
        search = """
            SELECT \(key), \(expiry) <= $2 FROM \(table) WHERE \(key) > $1 OR $1 IS NULL
            ORDER BY \(key) LIMIT $3::bigint
            """
        removal = """
            DELETE FROM \(table) WHERE (\(key) > $1 OR $1 IS NULL) AND \(key) <= $2 AND \(expiry) <= $3 RETURNING 1
            """
    }

    package func look(after start: SQLValue?, now: Int64, in reading: Reading) throws -> SweepFinding {
        let rows = try reading.rows(search, start, now - outlivesSeconds, SweepLimits.rowsPerLookMax)
        let expired = rows.filter { $0.boolean(1) }
        // A full batch leaves the rows after it to the next look.
        let isFull = expired.count >= SweepLimits.rowsPerBatchMax
        let end = isFull ? expired[SweepLimits.rowsPerBatchMax - 1] : rows.last
        return SweepFinding(
            end: end.map { SQLValue(bytes: $0.optionalBytes(0)) }, hasExpired: !expired.isEmpty,
            hasMore: isFull || rows.count == SweepLimits.rowsPerLookMax)
    }

    package func remove(
        after start: SQLValue?, upTo end: SQLValue, now: Int64, in transaction: Transaction
    ) throws -> Int {
        try transaction.rows(removal, start, end, now - outlivesSeconds).count
    }
}
