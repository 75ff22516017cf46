import CallDeadlines
import GRDB
import Storage

/// One caller's write while it waits for its group.
struct QueuedWrite: Sendable {
    /// What a write came to before the commit; it may be told only afterwards.
    struct Outcome {
        /// Whether the item's own work stays in the transaction.
        let stays: Bool
        /// Hands the caller its result.
        let tell: @Sendable () -> Void
    }

    /// Runs the caller's body inside the item's savepoint.
    let run: @Sendable (Database) -> Outcome
    /// Tells the caller that the group failed as a whole.
    let fail: @Sendable (StorageError) -> Void

    /// A write whose result goes to `continuation`.
    ///
    /// - Parameter deadline: asked when the write's turn has come and the transaction holds the file: nobody can be in
    ///   between any more, and what was waited for before, or slept through, has been.
    init<T: Sendable>(
        before deadline: CallDeadline?, _ body: @escaping @Sendable (Database) throws -> T,
        resuming continuation: CheckedContinuation<T, any Error>
    ) {
        run = { database in
            do {
                guard deadline?.hasPassed != true else { throw StorageError(.late, "the caller waits no longer") }
                let value = try body(database)
                return Outcome(stays: true) { continuation.resume(returning: value) }
            } catch let error as DatabaseError {
                let translated = StorageError(error)
                return Outcome(stays: false) { continuation.resume(throwing: translated) }
            } catch {
                return Outcome(stays: false) { continuation.resume(throwing: error) }
            }
        }
        fail = { continuation.resume(throwing: $0) }
    }
}
