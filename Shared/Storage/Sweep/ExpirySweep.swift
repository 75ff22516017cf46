/// Removes the rows of a table that have expired.
///
/// An index on the expiry would make each write that changes it another page or row version. Instead, this reads all rows in the
/// order of their key, a bounded number at a time.
package struct ExpirySweep: Sweep {
    package let kind: String
    package let interval: Duration = .seconds(600)
    /// How many seconds rows are kept after they have expired.
    private let outlivesSeconds: Int64
    package let lookEnd: SQL
    package let search: SQL
    package let removal: SQL

    /// - Parameters:
    ///   - key: The primary key's column.
    ///   - hasExpired: The condition, as SQL, for a row that has expired at the Unix time `now`.
    ///   - outlivesSeconds: How many seconds rows are kept after that.
    package init(table: String, key: String, outlivesSeconds: Int64 = 0, hasExpired: (_ now: String) -> String) {
        kind = table
        self.outlivesSeconds = outlivesSeconds
        // PostgreSQL has no `min` of byte strings.
        let first = SQL(
            sqlite: "SELECT min(\(key)) FROM \(table)",
            postgreSQL: "SELECT \(key) FROM \(table) ORDER BY \(key) LIMIT 1")
        let last = SQL(
            sqlite: "SELECT max(\(key)) FROM \(table)",
            postgreSQL: "SELECT \(key) FROM \(table) ORDER BY \(key) DESC LIMIT 1")
        let fromStart: SQL = "\(key) >= coalesce($1, (\(first)))"
        let toEnd: SQL = "\(key) <= coalesce($2, (\(last)))"
        lookEnd = "SELECT \(key) FROM \(table) WHERE \(fromStart) ORDER BY \(key) LIMIT 1 OFFSET $2"
        search = """
            SELECT \(key) FROM \(table) WHERE \(fromStart) AND \(toEnd) AND (\(hasExpired("$3"))) ORDER BY \(key) LIMIT $4
            """
        removal = "DELETE FROM \(table) WHERE \(key) = $1 AND (\(hasExpired("$2"))) RETURNING 1"
    }

    /// - Parameter expiry: The column with the Unix time at which a row expires.
    package init(table: String, key: String, expiry: String, outlivesSeconds: Int64 = 0) {
        self.init(table: table, key: key, outlivesSeconds: outlivesSeconds) { "\(expiry) <= \($0)" }
    }

    package func find(from start: SQLValue, now: Int64, in reader: any StatementReader) throws -> SweepFinding {
        let end = try reader.rows(lookEnd, start, SweepLimits.rowsPerLookMax - 1).first?.value(0) ?? .null
        let keys = try reader.rows(search, start, end, now - outlivesSeconds, SweepLimits.rowsPerBatchMax)
            .map { $0.value(0) }
        // A full batch may have left rows: the next look begins at its last key.
        return SweepFinding(keys: keys, next: keys.count == SweepLimits.rowsPerBatchMax ? keys.last ?? .null : end)
    }

    package func remove(_ keys: [SQLValue], now: Int64, in transaction: any Transaction) throws -> Int {
        try transaction.results(keys.map { Statement(removal, $0, now - outlivesSeconds) })
            .reduce(0) { $0 + $1.count }
    }
}
