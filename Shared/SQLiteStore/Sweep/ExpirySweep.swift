package import GRDB

/// Removes the rows of a table that have expired.
///
/// An index on the expiry would cost every write of a row another page. Instead, this reads all rows in the order of their
/// key, a bounded number at a time.
package struct ExpirySweep: Sweep {
    package let kind: String
    package let interval: Duration = .seconds(600)
    /// How many seconds rows are kept after they have expired.
    private let outlivesSeconds: Int64
    package let lookEnd: String
    package let search: String
    package let removal: String

    /// - Parameters:
    ///   - key: The primary key's column.
    ///   - expiry: The column with the Unix time at which a row expires, or an expression for it.
    ///   - outlivesSeconds: How many seconds rows are kept after that.
    package init(table: String, key: String, expiry: String, outlivesSeconds: Int64 = 0) {
        kind = table
        self.outlivesSeconds = outlivesSeconds
        let fromStart = "\(key) >= coalesce(?1, (SELECT min(\(key)) FROM \(table)))"
        let toEnd = "\(key) <= coalesce(?2, (SELECT max(\(key)) FROM \(table)))"
        lookEnd = "SELECT \(key) FROM \(table) WHERE \(fromStart) ORDER BY \(key) LIMIT 1 OFFSET ?2"
        search = """
            SELECT \(key) FROM \(table) WHERE \(fromStart) AND \(toEnd) AND \(expiry) <= ?3 ORDER BY \(key) LIMIT ?4
            """
        removal = "DELETE FROM \(table) WHERE \(key) = ?1 AND \(expiry) <= ?2"
    }

    package func find(from start: DatabaseValue?, now: Int64, in database: Database) throws -> SweepFinding {
        let end = try DatabaseValue.fetchOne(
            database.cachedStatement(sql: lookEnd), arguments: [start, SweepLimits.rowsPerLookMax - 1])
        let keys = try DatabaseValue.fetchAll(
            database.cachedStatement(sql: search),
            arguments: [start, end, now - outlivesSeconds, SweepLimits.rowsPerBatchMax])
        // A full batch may have left rows: the next look begins at its last key.
        return SweepFinding(keys: keys, next: keys.count == SweepLimits.rowsPerBatchMax ? keys.last : end)
    }

    package func remove(_ keys: [DatabaseValue], now: Int64, in database: Database) throws -> Int {
        let statement = try database.cachedStatement(sql: removal)
        var count = 0
        for key in keys {
            try statement.execute(arguments: [key, now - outlivesSeconds])
            count += database.changesCount
        }
        return count
    }
}
