import Storage

/// Finds a pooler that gives each transaction another server process, by which locks and prepared statements are lost.
enum PoolerCheck {
    /// Refuses two open connections that the same process of the server serves.
    static func run(_ one: Session, _ other: Session) throws {
        let first = try process(one)
        let second = try process(other)
        guard first != second else {
            throw StorageError(
                .other, "a pooler in transaction mode is in between. Use its session mode, or the server's own address")
        }
    }

    private static func process(_ session: Session) throws -> Int64? {
        try session.rows("SELECT pg_backend_pid()").first?.integer(0)
    }
}
