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

    /// Returns the first step of a service's schema, which also makes the tables that every schema has.
    package static func first(_ tables: String) -> Migration {
        let sql = [FileCopy.creation, ServerRecord.creation, tables].joined(separator: ";\n")
        return Migration(FirstStep.name(of: sql), sql)
    }

    /// Refuses a schema that lacks one of the steps, one that was changed for a newer release, and one with an unfinished copy of a
    /// file; services change no schema.
    static func require(_ migrations: [Migration], in session: Session) throws {
        try requireSteps(migrations, in: session)
        guard let problem = try FileCopy.read(in: session)?.problem(schema: session.schema) else { return }
        throw StorageError(.schema, problem)
    }

    /// Refuses a schema that lacks one of the steps, one that was changed for a newer release, and one of an earlier working state.
    static func requireSteps(_ migrations: [Migration], in session: Session) throws {
        let state = try SchemaState(of: session)
        if let refusal = state.refusal(for: migrations, schema: session.schema) { throw refusal }
    }
}
