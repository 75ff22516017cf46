import CallDeadlines
import Dispatch
import GRDB
import Glibc
import Storage

/// The writing connection of a file, which works in turns: first the waiting short reads, then a group of writes.
///
/// Everything runs on the connection's own serial queue, one job at a time. Between two turns the queue is free.
/// `deploy/docs/decisions/sqlite-writer.md` describes the steps of a turn.
final class Writer: Sendable {
    private let pool: DatabasePool
    private let queue = TurnQueue()
    private let checkpointer: Checkpointer
    private let metrics: SQLiteMetrics
    private let pause = DispatchQueue(label: "sqlite.pause")

    init(pool: DatabasePool, checkpointer: Checkpointer, metrics: SQLiteMetrics) {
        self.pool = pool
        self.checkpointer = checkpointer
        self.metrics = metrics
    }

    /// Runs `body` in the next group and returns once it is durable.
    ///
    /// - Parameter deadline: The latest time at which it may begin.
    func write<T: Sendable>(
        before deadline: CallDeadline?, _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            switch queue.add(QueuedWrite(before: deadline, body, resuming: continuation)) {
            case .queued: break
            case .startTurns(let start): startTurn(notBefore: start)
            case .full: continuation.resume(throwing: StorageError(.queueFull, "the queue of writes is full"))
            }
        }
    }

    /// Runs `body` in the next turn: it sees everything that was durable when it was called.
    ///
    /// Reads are grouped like writes. Running each as it arrives costs a refresh 12 % more CPU over all processes, because
    /// each then wakes up other threads separately.
    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        let start = ContinuousClock.now
        defer { metrics.record(metrics.read, ContinuousClock.now - start) }
        return try await withCheckedThrowingContinuation { continuation in
            let read: TurnQueue.QueuedRead = { database in
                continuation.resume(with: Result { try body(database) }.mapError { StorageError($0) })
            }
            switch queue.add(read) {
            case .queued: break
            case .startTurns(let start): startTurn(notBefore: start)
            case .full: continuation.resume(throwing: StorageError(.queueFull, "the queue of reads is full"))
            }
        }
    }

    private func startTurn() { pool.asyncWriteWithoutTransaction { [self] in takeTurn(in: $0) } }

    /// Starts a turn; one that begins after a pause waits for it on another thread.
    private func startTurn(notBefore start: ContinuousClock.Instant) {
        let left = (start - .now) / .microseconds(1)
        guard left > 0 else { return startTurn() }
        pause.async { [self] in
            usleep(UInt32(clamping: Int64(left)))
            startTurn()
        }
    }

    /// Takes one turn, and starts the next one after a pause, or at once if nothing was written; stops if nothing waits.
    private func takeTurn(in database: Database) {
        guard let turn = queue.next() else { return }
        for read in turn.reads { read(database) }
        guard !turn.writes.isEmpty else { return startTurn() }
        let before = database.totalChangesCount
        let isCommitted = GroupCommit(metrics: metrics).write(turn.writes, in: database)
        // A transaction that could not be rolled back: GRDB terminates the process before anything reads in it.
        guard !database.isInsideTransaction else { return }
        if isCommitted { checkpointer.committed(rows: database.totalChangesCount - before, in: database) }
        let start = ContinuousClock.now + SQLiteLimits.groupPause
        if queue.pause(until: start) { startTurn(notBefore: start) }
    }

    /// Returns when all waiting reads and writes are done.
    func waitUntilIdle() async { await queue.waitUntilIdle() }
}
