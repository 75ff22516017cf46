import CallDeadlines
import GRDB
import Storage

/// One caller's write while it waits for its group.
struct QueuedWrite: Sendable {
    /// The outcome of a write before the commit; the caller may get it only afterwards.
    struct Outcome {
        /// Whether the write's changes stay in the transaction.
        let stays: Bool
        /// Returns the result to the caller.
        let tell: @Sendable () -> Void
    }

    /// Runs the caller's body inside the item's savepoint.
    let run: @Sendable (Database) -> Outcome
    /// Notifies the caller that the group failed as a whole.
    let fail: @Sendable (StorageError) -> Void

    /// Creates a write whose result goes to `continuation`.
    ///
    /// - Parameter deadline: Checked when it is the write's turn and the transaction has locked the file. No other write
    ///   can come in between then, and all waits and delays are over.
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
