import CallDeadlines
import Dispatch
import GRDB
import Storage
import Synchronization

/// The connection of a file that writes: groups of writes, and short reads between two of them.
///
/// Everything runs on the connection's own serial queue, one job after the other: a group, a read, a question. Between two
/// groups the queue is free. `deploy/docs/decisions/sqlite-writer.md` says what one group does, in order.
final class Writer: Sendable {
    private let pool: DatabasePool
    private let writes = WriteQueue()
    private let checkpointer: Checkpointer
    private let metrics: SQLiteMetrics
    private let readsWaiting = Atomic(0)
    private let pause = DispatchQueue(label: "sqlite.pause")

    init(pool: DatabasePool, checkpointer: Checkpointer, metrics: SQLiteMetrics) {
        self.pool = pool
        self.checkpointer = checkpointer
        self.metrics = metrics
    }

    /// Runs `body` in the next group and returns once it is durable.
    ///
    /// - Parameter deadline: until when it may begin.
    func write<T: Sendable>(
        before deadline: CallDeadline?, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            switch writes.add(QueuedWrite(before: deadline, body, resuming: continuation)) {
            case .queued: break
            case .startWorkingOff: startGroup()
            case .full: continuation.resume(throwing: StorageError(.queueFull, "too many writes wait"))
            }
        }
    }

    /// Runs `body` after the group that is being written: it sees all that was durable when it was called.
    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        defer { readsWaiting.subtract(1, ordering: .relaxed) }
        guard readsWaiting.add(1, ordering: .relaxed).newValue <= SQLiteLimits.queuedMax else {
            throw StorageError(.queueFull, "too many reads wait")
        }
        let start = ContinuousClock.now
        defer { metrics.record(metrics.read, ContinuousClock.now - start) }
        return try await withCheckedThrowingContinuation { continuation in
            run { database in continuation.resume(with: Result { try body(database) }.mapError { StorageError($0) }) }
        }
    }

    /// Runs `body` outside of any transaction, after all that was to run before.
    private func run(_ body: @escaping @Sendable (Database) -> Void) { pool.asyncWriteWithoutTransaction(body) }

    private func startGroup() { run { [self] in writeGroup(in: $0) } }

    /// Writes one group, and the next one after a pause; rests when nothing waits.
    private func writeGroup(in database: Database) {
        guard let group = writes.next() else { return }
        let before = database.totalChangesCount
        let isCommitted = GroupCommit(metrics: metrics).write(group, in: database)
        // A transaction that could not even be undone: GRDB ends the process, and nobody reads in it before.
        guard !database.isInsideTransaction else { return }
        if isCommitted { checkpointer.committed(rows: database.totalChangesCount - before, in: database) }
        // Whoever waits for a write holds the writer; the pause alone does not keep the file open.
        pause.asyncAfter(deadline: .now() + SQLiteLimits.groupPause) { [weak self] in self?.startGroup() }
    }

    /// Returns when every queued write is answered.
    func waitUntilIdle() async { await writes.waitUntilIdle() }
}
