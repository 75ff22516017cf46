package import Storage

/// A connection that fills the tables of a schema in one transaction; blocks its thread.
package final class BulkLoad {
    /// How long the server may take for a statement other than a COPY, and to accept data.
    private static let stepMax: Duration = .seconds(60)
    /// How long it may take after the last row of a table, for the checks of references, and for statistics.
    private static let endMax: Duration = .seconds(900)

    private let connection: PQConnection
    private let schema: String

    /// - Parameter configuration: The connection of the tables' owner.
    package init(_ configuration: PostgreSQLConfiguration) throws(StorageError) {
        let schema = configuration.schema
        self.schema = schema
        connection = try StorageError.converting {
            let connection = try configuration.connect(applicationName: configuration.schema)
            try connection.runScript(
                """
                SET client_min_messages = warning; SET search_path = "\(schema)"; SET lock_timeout = '\(PostgreSQLLimits.commandLockSeconds)s';
                SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
                SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
                """, until: .now + Self.stepMax)
            return connection
        }
    }

    /// Begins the transaction and removes all rows of the tables.
    package func begin(emptying tables: [String]) throws(StorageError) {
        let names = tables.map { "\"\($0)\"" }.joined(separator: ", ")
        try perform("BEGIN ISOLATION LEVEL READ COMMITTED; TRUNCATE \(names) RESTART IDENTITY")
    }

    /// Fills an empty table.
    ///
    /// - Parameter body: Sends rows as `CopyEncoder` encodes them.
    /// - Returns: The number of rows.
    package func copy(
        into table: String, _ columns: [String], _ body: (_ send: ([UInt8]) throws -> Void) throws -> Void
    ) throws -> Int {
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        do {
            // The table was emptied in this transaction, so its rows can be written as a vacuum leaves them.
            try connection.beginCopy(
                "COPY \"\(table)\" (\(names)) FROM STDIN (FORMAT binary, FREEZE)", until: .now + Self.stepMax)
            try connection.sendCopied(CopyEncoder.header, until: .now + Self.stepMax)
            try body { try connection.sendCopied($0, until: .now + Self.stepMax) }
            try connection.sendCopied(CopyEncoder.trailer, until: .now + Self.stepMax)
            return try connection.endCopy(until: .now + Self.endMax)
        } catch let error as PostgreSQLError {
            throw StorageError(error)
        }
    }

    /// Makes the generated numbers of a column continue after `last`.
    package func setIdentity(of column: String, in table: String, last: Int64) throws(StorageError) {
        guard last > 0 else { return }
        try perform("SELECT setval(pg_get_serial_sequence('\"\(schema)\".\"\(table)\"', '\(column)'), \(last))")
    }

    /// Makes the rows durable.
    package func commit() throws(StorageError) { try perform("COMMIT", within: Self.endMax) }

    /// Notes durably that the copy is complete, after which services use the schema.
    ///
    /// - Parameter now: Unix time in seconds.
    package func finish(now: Int64) throws(StorageError) {
        try perform("UPDATE \(FileCopy.table) SET finished_at = \(now)", within: Self.endMax)
    }

    /// Has the server's planner look at the tables.
    package func analyze(_ tables: [String]) throws(StorageError) {
        for table in tables { try perform("ANALYZE \"\(table)\"", within: Self.endMax) }
    }

    @discardableResult
    private func perform(_ sql: String, within limit: Duration = stepMax) throws(StorageError) -> Rows {
        do { return Rows(try connection.runScript(sql, until: .now + limit)) } catch {
            throw StorageError(error, ofCommandOn: schema)
        }
    }
}
