/// A statement with the values of its parameters `$1`, `$2` and so on.
///
/// The text is prepared once by each connection, so it contains no values.
package struct Statement {
    let sql: String
    let values: [SQLValue]

    package init(_ sql: String, _ values: [any SQLConvertible]) {
        self.sql = sql
        self.values = values.map(\.sqlValue)
    }

    package init(_ sql: String, _ values: any SQLConvertible...) { self.init(sql, values) }
}

/// A transaction, or reads without one.
package protocol StatementReader {
    /// Runs statements in one round trip and returns the rows of each.
    func results(_ statements: [Statement]) throws -> [Rows]
}

extension StatementReader {
    /// Runs a statement and returns its rows.
    package func rows(_ sql: String, _ values: any SQLConvertible...) throws -> Rows { try rows(sql, values) }

    /// Runs a statement and returns its rows.
    package func rows(_ sql: String, _ values: [any SQLConvertible]) throws -> Rows {
        try results([Statement(sql, values)]).first ?? Rows(nil)
    }
}

extension Statement {
    /// Begins a transaction at the level that all our statements are written for.
    static let begin = Statement("BEGIN ISOLATION LEVEL READ COMMITTED")
    /// Begins a transaction whose statements all see the same moment.
    static let beginSnapshot = Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    static let commit = Statement("COMMIT")
    static let rollback = Statement("ROLLBACK")

    /// Writes a record to the write-ahead log, so that the COMMIT of a transaction that changed nothing waits like any other.
    ///
    /// A response that repeats an earlier result rests on a read, and the commit that it read may not be on the standby yet.
    static let mark = Statement("SELECT pg_logical_emit_message(true, 'latchkey', '')")
}
