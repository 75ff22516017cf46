import Storage

extension SchemaProblem {
    /// Returns the refusal of the schema with this problem.
    func refusal(of schema: String) -> StorageError {
        guard self == .workingState else { return StorageError(.schema, "the schema \(schema) \(self)") }
        let advice = "Drop it or use another database, and run latchkeyctl database migrate"
        return StorageError(.other, "the schema \(schema) \(self). \(advice)")
    }
}

extension SchemaState {
    /// Returns the condition, as SQL, that a schema has tables and that the role may see them.
    static func hasTables(_ schema: String) -> String {
        """
        EXISTS (SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname = \(schema) AND c.relkind IN ('r', 'p') AND has_schema_privilege(n.oid, 'USAGE'))
        """
    }

    /// Reads the state; without the right to read the list of steps, a schema counts as one without tables.
    init(of session: Session) throws {
        do {
            self.init(try session.rows(Self.list))
        } catch let error as PostgreSQLError where error.kind == .refused("42501") {
            self.init(steps: [:], hasTables: false)
        } catch let error as PostgreSQLError
            where error.kind == .refused("42P01") || error.kind == .refused("3F000") || error.kind == .refused("42703")
        {
            let rows = try session.rows("SELECT \(Self.hasTables("$1::text"))", session.schema)
            self.init(steps: [:], hasTables: rows.first?.boolean(0) ?? false)
        }
    }
}
