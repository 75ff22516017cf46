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
        let state = try SchemaState(of: session)
        if let refusal = state.refusal(for: migrations, schema: session.schema) { throw refusal }
    }
}
