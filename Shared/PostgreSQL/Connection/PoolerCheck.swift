import Storage

/// Finds a pooler that gives each transaction another server process, by which locks and prepared statements are lost.
enum PoolerCheck {
    private static let refusal = StorageError(
        .other, "a pooler in transaction mode is in between. Use its session mode, or the server's own address")

    /// Refuses two open connections that the same process of the server serves.
    static func run(_ one: Session, _ other: Session) throws {
        let first = try process(one)
        let second = try process(other)
        guard first != second else { throw refusal }
    }

    /// Reads the facts of a new connection with its first prepared statement. A process of the server that knows such a statement
    /// serves another connection too.
    static func facts(
        of connection: PQConnection, until deadline: ContinuousClock.Instant
    ) throws -> ServerFacts {
        do throws(PostgreSQLError) { return try ServerFacts(of: connection, until: deadline) } catch {
            // duplicate_prepared_statement
            if error.kind == .refused("42P05") { throw refusal }
            throw error
        }
    }

    private static func process(_ session: Session) throws -> Int64? {
        try session.rows("SELECT pg_backend_pid()").first?.integer(0)
    }
}
