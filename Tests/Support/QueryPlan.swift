package import GRDB

/// How SQLite would run a statement.
package enum QueryPlan {
    /// The plan's lines, which name tables and indexes.
    ///
    /// It does not depend on the values: parameters stay unbound, as null.
    package static func of(_ sql: String, in database: Database) throws -> String {
        let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
        statement.setUncheckedArguments(StatementArguments())
        return try Row.fetchAll(statement).map { $0["detail"] as String }.joined(separator: "; ")
    }
}
