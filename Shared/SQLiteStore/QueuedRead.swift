internal import GRDB

/// One caller's short read while it waits for its turn.
struct QueuedRead: Sendable {
    /// Reads and tells the caller.
    let run: @Sendable (Database) -> Void

    /// A read whose result goes to `continuation`.
    init<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T, resuming continuation: CheckedContinuation<T, any Error>
    ) {
        run = { database in
            do {
                continuation.resume(returning: try body(database))
            } catch {
                continuation.resume(throwing: SQLiteError(error))
            }
        }
    }
}
