package import GRDB

/// Reads rows of the table `audit`, newest first, a bounded part of the table in each transaction.
package struct AuditScan {
    /// Rows that one page looks at, at most: a rare event in a long audit must not hold a reader for long.
    package static let rowsMax: Int64 = 50_000

    private let before: Int64?
    private let since: Int64
    private let limit: Int
    private let rowsMax: Int64

    /// - Parameters:
    ///   - before: the number of the row at which the last page ended; `nil` for the first page.
    ///   - since: the Unix time of the oldest row, in seconds.
    ///   - limit: rows of a page.
    ///   - rowsMax: rows that are looked at.
    package init(before: Int64?, since: Int64, limit: Int, rowsMax: Int64 = Self.rowsMax) {
        (self.before, self.since, self.limit, self.rowsMax) = (before, since, limit, rowsMax)
    }

    /// The rows that match, and where the next page begins, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - columns: of the table; the number of the row comes before them.
    ///   - conditions: column and value of each.
    package func rows(
        _ columns: [String], where conditions: [(column: String, value: DatabaseValue)], in database: Database
    ) throws -> (rows: [Row], next: Int64?) {
        let oldest = try Int64.fetchOne(database, sql: "SELECT min(rowid) FROM audit") ?? 0
        let newest = try Int64.fetchOne(database, sql: "SELECT max(rowid) FROM audit") ?? 0
        let end = min(before ?? .max, newest + 1)
        let start = max(oldest, end - rowsMax)
        let filter = conditions.map { " AND \($0.column) = ?" }.joined()
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT rowid, \(columns.joined(separator: ", ")) FROM audit
                WHERE rowid < ? AND rowid >= ? AND at >= ?\(filter) ORDER BY rowid DESC LIMIT ?
                """,
            arguments: StatementArguments(
                [end.databaseValue, start.databaseValue, since.databaseValue] + conditions.map(\.value)
                    + [limit.databaseValue]))
        if rows.count == limit, let last = rows.last { return (rows, last[0]) }
        guard start > oldest, try isRecent(from: start, to: end, in: database) else { return (rows, nil) }
        return (rows, start)
    }

    /// Whether a part of the table has rows that are young enough: what comes before them may have some, too.
    private func isRecent(from start: Int64, to end: Int64, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM audit WHERE rowid >= ? AND rowid < ? AND at >= ?)",
            arguments: [start, end, since]) ?? false
    }
}
