/// A statement with the values of its parameters `$1`, `$2` and so on.
///
/// The text is prepared once by each connection, so it contains no values.
package struct Statement: Sendable {
    package let sql: SQL
    package let values: [SQLValue]

    package init(_ sql: SQL, _ values: [any SQLConvertible]) {
        self.sql = sql
        self.values = values.map(\.sqlValue)
    }

    package init(_ sql: SQL, _ values: any SQLConvertible...) { self.init(sql, values) }
}

/// A transaction, or reads without one.
package protocol StatementReader {
    var kind: DatabaseKind { get }

    /// Runs statements, on a server in one round trip, and returns the rows of each.
    func results(_ statements: [Statement]) throws -> [Rows]
}

extension StatementReader {
    /// Runs a statement and returns its rows.
    package func rows(_ sql: SQL, _ values: any SQLConvertible...) throws -> Rows { try rows(sql, values) }

    /// Runs a statement and returns its rows.
    package func rows(_ sql: SQL, _ values: [any SQLConvertible]) throws -> Rows {
        try results([Statement(sql, values)]).first ?? Rows(nil)
    }
}
