internal import GRDB

/// One caller's read while it waits for its group.
struct QueuedRead: Sendable {
    /// Reads in the group's transaction, or passes on why there is none, and tells the caller.
    let run: @Sendable (Result<Database, any Error>) -> Void

    /// A read whose result goes to `continuation`.
    init<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T, resuming continuation: CheckedContinuation<T, any Error>
    ) {
        run = { access in
            do {
                continuation.resume(returning: try body(try access.get()))
            } catch {
                continuation.resume(throwing: SQLiteError(error))
            }
        }
    }
}
