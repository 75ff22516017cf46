/// Reads records of the table `audit`, newest first, a bounded part of the table at a time.
package struct AuditScan {
    /// The records that one page looks at, at most: a rare event in a long audit must not keep a connection for long.
    package static let rowsMax: Int64 = 50_000

    private let before: Int64?
    private let since: Int64
    private let limit: Int

    /// - Parameters:
    ///   - before: the id of the record at which the last page ended; `nil` for the first page.
    ///   - since: the Unix time of the oldest record, in seconds.
    ///   - limit: records of a page.
    package init(before: Int64?, since: Int64, limit: Int) {
        (self.before, self.since, self.limit) = (before, since, limit)
    }

    /// Returns the records that match, and where the next page begins, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - columns: of the table; the record's id comes before them.
    ///   - conditions: more conditions as SQL, whose parameters are $5 and $6.
    package func rows(
        _ columns: [String], where conditions: String, _ first: SQLValue, _ second: SQLValue, in reading: Reading
    ) throws -> (rows: Rows, next: Int64?) {
        let ends = try reading.rows("SELECT coalesce(min(id), 0), coalesce(max(id), 0) FROM audit").first
        let (oldest, newest) = (ends?.integer(0) ?? 0, ends?.integer(1) ?? 0)
        let end = min(before ?? .max, newest + 1)
        let start = max(oldest, end - Self.rowsMax)
        let rows = try reading.rows(
            """
            SELECT id, \(columns.joined(separator: ", ")) FROM audit
            WHERE id < $1 AND id >= $2 AND at >= $3 AND \(conditions) ORDER BY id DESC LIMIT $4::bigint
            """, end, start, since, limit, first, second)
        if rows.count == limit, let last = rows.last { return (rows, last.integer(0)) }
        return (rows, try hasMore(from: start, to: end, oldest: oldest, in: reading) ? start : nil)
    }

    /// Whether a part of the table has records that are young enough: what comes before them may have some, too.
    private func hasMore(from start: Int64, to end: Int64, oldest: Int64, in reading: Reading) throws -> Bool {
        guard start > oldest else { return false }
        return
            !(try reading.rows(
                "SELECT 1 FROM audit WHERE id >= $1 AND id < $2 AND at >= $3 LIMIT 1", start, end, since)).isEmpty
    }
}
