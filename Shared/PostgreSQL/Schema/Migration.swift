import Storage

extension Migration {
    /// Refuses a schema that lacks one of the steps, one that was changed for a newer release, and one with an unfinished copy of a
    /// file; services change no schema.
    static func require(_ migrations: [Migration], in session: Session) throws {
        try requireSteps(migrations, in: session)
        guard let problem = try FileCopy.read(in: session)?.problem(schema: session.schema) else { return }
        throw StorageError(.schema, problem)
    }

    /// Refuses a schema that lacks one of the steps, one that was changed for a newer release, and one of an earlier working state.
    static func requireSteps(_ migrations: [Migration], in session: Session) throws {
        guard let problem = try SchemaState(of: session).problem(for: migrations) else { return }
        throw problem.refusal(of: session.schema)
    }
}
