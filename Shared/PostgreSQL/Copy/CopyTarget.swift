package import Storage

/// A schema into which a file is copied, and the state of the copy there; blocks its thread.
package final class CopyTarget {
    /// The types that the columns of our schemas have.
    package enum ColumnType: String, Sendable { case bigint, boolean, bytea, text }

    /// A column of a table.
    package struct Column: Sendable, Equatable {
        package let name: String
        /// `nil` for a type that no release uses.
        package let type: ColumnType?
        package let isNotNull: Bool
        /// Whether the server numbers new rows.
        package let isIdentity: Bool

        package init(_ name: String, _ type: ColumnType?, isNotNull: Bool = true, isIdentity: Bool = false) {
            (self.name, self.type, self.isNotNull, self.isIdentity) = (name, type, isNotNull, isIdentity)
        }
    }

    private let session: Session

    /// Connects to a schema that has all steps of this release, as its owner.
    package init(_ configuration: PostgreSQLConfiguration, migrations: [Migration]) throws(StorageError) {
        session = try StorageError.converting {
            let session = try Session.connect(configuration, .wholeSchema)
            try Migration.requireSteps(migrations, in: session)
            try RoleRights(of: session).requireOwner(of: session.schema)
            return session
        }
    }

    /// Keeps services and other commands away until the connection is closed.
    ///
    /// - Throws: `busy` if they use the schema.
    package func beAlone() throws(StorageError) { try perform { try SchemaUse(of: $0.schema).beginAlone(in: $0) } }

    /// Checks the audit that was copied.
    package func verifyCopiedAudit() throws(StorageError) -> AuditVerification? {
        try perform { try AuditVerification.run(in: $0) }
    }

    /// Returns all tables with their columns.
    package func columns() throws(StorageError) -> [String: [Column]] {
        try perform { session in
            let rows = try session.rows(
                """
                SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity <> ''
                FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
                WHERE n.nspname = $1 AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, a.attnum
                """, session.schema)
            var tables: [String: [Column]] = [:]
            for row in rows {
                let column = Column(
                    row.text(1), ColumnType(rawValue: row.text(2)), isNotNull: row.boolean(3),
                    isIdentity: row.boolean(4))
                tables[row.text(0), default: []].append(column)
            }
            return tables
        }
    }

    /// Returns the state of the copy; `nil` if none was begun.
    package func state() throws(StorageError) -> FileCopy? { try perform { try FileCopy.read(in: $0) } }

    /// Notes durably that a copy has begun, so that no service uses the schema until it is finished.
    ///
    /// - Parameters:
    ///   - emptyTables: The tables that have no row, unless the same copy was begun before.
    ///   - now: Unix time in seconds.
    /// - Returns: The name of a table with rows, and then nothing was noted; `nil` if all are empty.
    package func begin(
        _ path: String, digest: [UInt8], emptyTables: [String], now: Int64
    ) throws(StorageError) -> String? {
        try perform { session in
            try session.transaction { transaction in
                if try FileCopy.read(in: transaction) == nil {
                    for table in emptyTables where try !transaction.rows("SELECT 1 FROM \"\(table)\" LIMIT 1").isEmpty {
                        return table
                    }
                }
                try transaction.run(
                    """
                    INSERT INTO copied_file (id, path, digest, begun_at) VALUES (1, $1, $2, $3)
                    ON CONFLICT (id) DO UPDATE SET path = excluded.path, digest = excluded.digest,
                        begun_at = excluded.begun_at
                    """, path, digest, now)
                return nil
            }
        }
    }

    private func perform<Value>(_ body: (Session) throws -> Value) throws(StorageError) -> Value {
        try StorageError.converting { try body(session) }
    }
}
