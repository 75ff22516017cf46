import Storage

/// A named step of a schema.
package struct Migration: Sendable {
    /// The step's permanent name; each step runs once in a schema.
    package let name: String
    /// One or more statements.
    package let sql: String
    /// The oldest release that works with a schema that has this step; `nil` for a step that all earlier releases tolerate, since it
    /// only adds tables, columns and indexes.
    package let needsRelease: String?

    package init(_ name: String, _ sql: String, needsRelease: String? = nil) {
        self.name = name
        self.sql = sql
        self.needsRelease = needsRelease
    }

    /// Refuses a schema that lacks one of the steps, one that was changed for a newer release, and one with an unfinished copy of a
    /// file; services change no schema.
    static func require(_ migrations: [Migration], in session: Session) throws {
        try requireSteps(migrations, in: session)
        guard let problem = try FileCopy.read(in: session)?.problem(schema: session.schema) else { return }
        throw StorageError(.schema, problem)
    }

    /// Refuses a schema that lacks one of the steps, and one that was changed for a newer release.
    static func requireSteps(_ migrations: [Migration], in session: Session) throws {
        var state = SchemaState(steps: [:])
        do {
            for row in try session.rows("SELECT name, needs_release FROM schema_migrations") {
                state.steps[row.text(0)] = row.text(1)
            }
        } catch let error as PostgreSQLError where SchemaState.isMissing(error) {}
        guard let problem = state.problem(for: common + migrations, schema: session.schema) else {
            return
        }
        throw StorageError(.schema, problem)
    }
}
