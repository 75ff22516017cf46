package import GRDB

/// Removes the rows of a table to whose expired ones an index leads.
package struct IndexedSweep: Sweep {
    package let kind: String
    package let interval: Duration = .seconds(60)
    /// Rows are kept for this long after they have expired.
    let outlivesSeconds: Int64
    package let search: String
    package let removal: String

    /// - Parameters:
    ///   - key: the primary key's column.
    ///   - expiry: the indexed column with the Unix time at which a row expires.
    ///   - outlivesSeconds: for how long rows are kept after that.
    package init(table: String, key: String, expiry: String, outlivesSeconds: Int64 = 0) {
        kind = table
        self.outlivesSeconds = outlivesSeconds
        search = "SELECT \(key) FROM \(table) WHERE \(expiry) <= ? ORDER BY \(expiry) LIMIT ?"
        removal = "DELETE FROM \(table) WHERE \(key) = ? AND \(expiry) <= ?"
    }

    package func find(after: Int64, now: Int64, in database: Database) throws -> SweepFinding {
        let keys = try DatabaseValue.fetchAll(
            database.cachedStatement(sql: search), arguments: [now - outlivesSeconds, SweepLimits.rowsPerBatchMax])
        // What was found is gone at the next look, which therefore begins in the same place.
        return SweepFinding(keys: keys, next: keys.count < SweepLimits.rowsPerBatchMax ? nil : 0)
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
