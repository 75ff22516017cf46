internal import GRDB
internal import Storage

/// One caller's short read while it waits for its turn.
struct QueuedRead: Sendable {
    /// Runs the query; call the result to resume the caller.
    let run: @Sendable (Database) -> @Sendable () -> Void

    /// A read whose result goes to `continuation`.
    init<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T, resuming continuation: CheckedContinuation<T, any Error>
    ) {
        run = { database in
            let result = Result { try body(database) }.mapError { StorageError($0) as any Error }
            return { continuation.resume(with: result) }
        }
    }
}
