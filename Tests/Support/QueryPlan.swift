package import Storage

/// How SQLite would run a statement.
package enum QueryPlan {
    private static let valuesMax = 30

    /// The plan's lines, which name tables and indexes.
    ///
    /// It does not depend on the values, which are all NULL.
    package static func of(_ sql: SQL, in reader: any StatementReader) throws -> String {
        let values = [SQLValue](repeating: .null, count: valuesMax)
        return try reader.rows("EXPLAIN QUERY PLAN \(sql)", values).map { $0.text(3) }.joined(separator: "; ")
    }
}
