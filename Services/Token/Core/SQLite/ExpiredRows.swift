internal import GRDB
internal import Policies
internal import SQLiteStore

/// What of `tokens.sqlite` goes with time.
enum ExpiredRows {
    /// All kinds. Ended keys stay, so that no `kid` is given twice.
    static func sweeps(_ policy: Policy) -> [any Sweep] {
        tables + [SessionSweep(), AuditRetention(days: policy.audit.retentionDays)]
    }

    /// Those with a column for their expiry, and an index on it; `key_revocations` has few rows for all time and needs none.
    static let tables = [
        IndexedSweep(table: "spent_grants", key: "id", expiry: "expires_at"),
        IndexedSweep(
            table: "revocations", key: "sid", expiry: "access_expires_at",
            outlivesSeconds: RevocationLimits.extraSeconds),
        IndexedSweep(
            table: "version_floors", key: "sid", expiry: "access_expires_at",
            outlivesSeconds: RevocationLimits.extraSeconds),
        IndexedSweep(table: "key_revocations", key: "kid", expiry: "holds_until"),
    ]
}

/// Removes sessions that nobody can refresh any more.
///
/// Every rotation moves a session's expiry, so that an index on it would cost each of them a page more. In its place this
/// passes through all rows in their own order, a bounded number at each look.
struct SessionSweep: Sweep {
    /// For this long a client that comes back is told that its session has expired, where a dialect names it.
    static let outlivesSeconds: Int64 = 7 * 86_400

    let kind = "sessions"
    let interval: Duration = .seconds(600)

    func find(after: Int64, now: Int64, in database: Database) throws -> SweepFinding {
        let last = try Int64.fetchOne(
            database.cachedStatement(sql: Self.lookEnd), arguments: [after, SweepLimits.rowsPerLookMax - 1])
        let keys = try Int64.fetchAll(
            database.cachedStatement(sql: Self.search),
            arguments: [after, last ?? .max, now - Self.outlivesSeconds, SweepLimits.rowsPerBatchMax])
        // A full batch may have left some behind: the next look goes on after its last.
        let next = keys.count == SweepLimits.rowsPerBatchMax ? keys.last : last
        return SweepFinding(keys: keys.map(\.databaseValue), next: next)
    }

    func remove(_ keys: [DatabaseValue], now: Int64, in database: Database) throws -> Int {
        let statement = try database.cachedStatement(sql: Self.removal)
        var count = 0
        for key in keys {
            try statement.execute(arguments: [key, now - Self.outlivesSeconds])
            count += database.changesCount
        }
        return count
    }

    static let lookEnd = "SELECT locator FROM sessions WHERE locator > ? ORDER BY locator LIMIT 1 OFFSET ?"
    static let search = """
        SELECT locator FROM sessions WHERE locator > ?1 AND locator <= ?2 AND \(expired("?3")) ORDER BY locator LIMIT ?4
        """
    static let removal = "DELETE FROM sessions WHERE locator = ?1 AND \(expired("?2"))"

    /// Both the session and its last access token: a revocation finds the session as long as it could matter.
    private static func expired(_ time: String) -> String {
        "min(idle_expires_at, coalesce(absolute_expires_at, idle_expires_at)) <= \(time) AND access_expires_at <= \(time)"
    }
}
