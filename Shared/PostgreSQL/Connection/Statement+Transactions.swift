import Storage

extension Statement {
    /// Begins a transaction at the level that all our statements are written for.
    static let begin = Statement("BEGIN ISOLATION LEVEL READ COMMITTED")
    /// Begins a transaction whose statements all see the same moment.
    static let beginSnapshot = Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    static let commit = Statement("COMMIT")
    static let rollback = Statement("ROLLBACK")

    /// Writes a record to the write-ahead log, so that the COMMIT of a transaction that changed nothing waits like any other.
    ///
    /// A response that repeats an earlier result rests on a read, and the commit that it read may not be on the standby yet.
    static let mark = Statement("SELECT pg_logical_emit_message(true, 'latchkey', '')")
}
