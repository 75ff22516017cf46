/// Reads records of the table `audit`, newest first, a bounded part of the table at a time.
package struct AuditScan {
    /// The records that one page looks at, at most: a rare event in a long audit must not keep a connection for long.
    package static let rowsMax: Int64 = 20_000
    /// The column that orders the records of all slots. A file has one slot, whose numbers are the rows' own.
    private static let id = SQL(sqlite: "number", postgreSQL: "id")

    private let before: Int64?
    private let since: Int64
    private let until: Int64
    private let limit: Int
    private let rowsMax: Int64

    /// - Parameters:
    ///   - before: the id of the record at which the last page ended; `nil` for the first page.
    ///   - since: the Unix time of the oldest record, in seconds.
    ///   - until: the Unix time before which all records are, in seconds.
    ///   - limit: records of a page.
    ///   - rowsMax: records that are looked at.
    package init(
        before: Int64?, since: Int64, until: Int64 = .max, limit: Int, rowsMax: Int64 = Self.rowsMax
    ) {
        (self.before, self.since, self.limit, self.rowsMax) = (before.map { max(0, $0) }, since, limit, rowsMax)
        self.until = until
    }

    /// Returns the records that match, and where the next page begins, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - columns: of the table; the record's id comes before them.
    ///   - conditions: columns and their values; a condition whose value is NULL matches all.
    package func rows(
        _ columns: [String], where conditions: [(column: String, value: any SQLConvertible)],
        in reader: any StatementReader
    ) throws -> (rows: Rows, next: Int64?) {
        let ends = try reader.rows("SELECT (SELECT min(\(Self.id)) FROM audit), (SELECT max(\(Self.id)) FROM audit)")
            .first
        let (oldest, newest) = (ends?.integer(0) ?? 0, ends?.integer(1) ?? 0)
        let end = min(before ?? .max, newest.addingReportingOverflow(1).partialValue)
        let start = max(oldest, end - rowsMax)
        let given = conditions.filter { $0.value.sqlValue != .null }
        let values: [any SQLConvertible] = [end, start, since, limit, until]
        let rows = try reader.rows(
            Self.selection(columns, where: given.map(\.column)), values + given.map(\.value))
        if rows.count == limit, let last = rows.last { return (rows, last.integer(0)) }
        return (rows, try hasMore(from: start, to: end, oldest: oldest, in: reader) ? start : nil)
    }

    /// The statement for a page: the record's id and `columns`, where each of `conditions` has a value.
    static func selection(_ columns: [String], where conditions: [String]) -> SQL {
        let filter = zip(conditions, 6...).map { " AND \($0) = $\($1)" }.joined()
        return """
            SELECT \(id), \(columns.joined(separator: ", ")) FROM audit
            WHERE \(id) < $1 AND \(id) >= $2 AND at >= $3 AND at < $5\(filter) ORDER BY \(id) DESC LIMIT $4
            """
    }

    /// Whether a part of the table has records that are young enough: what comes before them may have some, too.
    private func hasMore(
        from start: Int64, to end: Int64, oldest: Int64, in reader: any StatementReader
    ) throws -> Bool {
        guard start > oldest else { return false }
        return
            !(try reader.rows(
                "SELECT 1 FROM audit WHERE \(Self.id) >= $1 AND \(Self.id) < $2 AND at >= $3 LIMIT 1", start, end, since
            )).isEmpty
    }
}
