import Foundation
package import GRDB

/// Removes the oldest audit rows, and keeps the hash of the last one removed as the anchor of the remaining ones.
package struct AuditRetention: Sweep {
    package let kind = "audit"
    package let interval: Duration = .seconds(60)
    private let keptSeconds: Int64

    /// - Parameter days: The number of days for which rows are kept (policy `audit.retentionDays`).
    package init(days: Int) {
        keptSeconds = Int64(days) * 86_400
    }

    package func find(from start: DatabaseValue?, now: Int64, in database: Database) throws -> SweepFinding {
        let statement = try database.cachedStatement(sql: Self.oldest)
        var last: Int64?
        // Only a prefix is removed: if a clock was set back, a younger row keeps the older rows after it.
        for row in try Row.fetchAll(statement, arguments: [SweepLimits.rowsPerBatchMax]) {
            guard try row.decode(Int64.self, atIndex: 1) < now - keptSeconds else {
                return SweepFinding(keys: last.map { [$0.databaseValue] } ?? [], next: nil)
            }
            last = try row.decode(Int64.self, atIndex: 0)
        }
        return SweepFinding(keys: last.map { [$0.databaseValue] } ?? [], next: last?.databaseValue)
    }

    package func remove(_ keys: [DatabaseValue], now: Int64, in database: Database) throws -> Int {
        guard let key = keys.last, let last = Int64.fromDatabaseValue(key) else { return 0 }
        try database.cachedStatement(sql: Self.anchor).execute(arguments: [last])
        try database.cachedStatement(sql: Self.removal).execute(arguments: [last])
        return database.changesCount
    }

    static let oldest = "SELECT rowid, at FROM audit ORDER BY rowid LIMIT ?"
    /// The anchor only moves forward, since a replica may have been faster.
    static let anchor = """
        UPDATE audit_ends SET (removed, removed_hash) = (SELECT rowid, hash FROM audit WHERE rowid = ?1)
        WHERE id = 1 AND removed < ?1 AND EXISTS (SELECT 1 FROM audit WHERE rowid = ?1)
        """
    static let removal = "DELETE FROM audit WHERE rowid <= ?"
}
