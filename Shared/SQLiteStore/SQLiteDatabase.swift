internal import CallDeadlines
package import GRDB
internal import Glibc
internal import Logging
internal import ServiceLifecycle
package import Storage

/// One SQLite file, shared by the replicas of a service on one host: many readers, group commits, nothing acknowledged
/// before it is on disk.
package final class SQLiteDatabase: Service, Sendable {
    private let pool: DatabasePool
    private let writes = GroupQueue<QueuedWrite>()
    let reads = GroupQueue<QueuedRead>()
    private let checkpointer: Checkpointer
    private let log: WriteAheadLog
    let metrics: SQLiteMetrics
    private let logger: Logger

    init(
        pool: DatabasePool, checkpointer: Checkpointer, log: WriteAheadLog, metrics: SQLiteMetrics, logger: Logger
    ) {
        self.pool = pool
        self.checkpointer = checkpointer
        self.log = log
        self.metrics = metrics
        self.logger = logger
    }

    /// Reads a consistent snapshot on a reader connection, off the cooperative pool.
    package func read<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws(StorageError) -> T {
        let start = ContinuousClock.now
        do {
            let value = try await pool.read(body)
            metrics.record(metrics.read, ContinuousClock.now - start)
            return value
        } catch {
            throw StorageError(error)
        }
    }

    /// Runs `body` in the next group commit and returns once it is durable.
    ///
    /// `body` sees what earlier bodies of its group wrote, and it alone is undone when it throws. It runs on the writer's
    /// thread: keep it short, sign and hash elsewhere. Where a call is worked on whose caller has given up when its turn
    /// comes (`CallDeadline`), it is not run, and fails as `late`.
    /// - Throws: what `body` throws, as it is (GRDB's errors as `StorageError`); `StorageError` when the group failed, and
    ///   then nothing was written.
    package func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        // The writer's thread knows nothing of the task that waits.
        let deadline = CallDeadline.current
        return try await withCheckedThrowingContinuation { continuation in
            switch writes.add(QueuedWrite(before: deadline, body, resuming: continuation)) {
            case .queued: break
            case .startWorkingOff: workOff()
            case .full: continuation.resume(throwing: StorageError(.queueFull, "too many writes wait"))
            }
        }
    }

    /// One group, then at the end of the writer's own queue: under writes without end others who need the writer get
    /// their turn too.
    private func workOff() {
        onWriter { [self] database in
            guard let group = writes.next() else { return }
            let before = database.totalChangesCount
            let isCommitted = GroupCommit(metrics: metrics).write(group, in: database)
            // A transaction that could not even be undone: GRDB ends the process, and nobody reads in it before.
            guard !database.isInsideTransaction else { return }
            let readsCame = serveReads(in: database)
            if isCommitted {
                checkpointer.committed(
                    writes: group.count, rows: database.totalChangesCount - before, in: database)
            }
            pause(afterGroupOf: group.count, readsCame: readsCame, in: database)
            workOff()
        }
    }

    /// Lets writes gather; reads that come meanwhile need not wait for its end.
    private func pause(afterGroupOf count: Int, readsCame: Bool, in database: Database) {
        let start = ContinuousClock.now
        var readsCame = readsCame
        repeat {
            if serveReads(in: database) { readsCame = true }
            usleep(GroupPause.stepMicroseconds(readsCame: readsCame))
        } while GroupPause.goesOn(after: ContinuousClock.now - start, lastGroup: count, waiting: writes.count)
    }

    /// Runs `body` on the writer's connection, outside of any transaction, after all that was to run there before.
    func onWriter(_ body: @escaping @Sendable (Database) -> Void) { pool.asyncWriteWithoutTransaction(body) }

    /// A number that differs from the last one if another process has committed since.
    package func foreignVersion() async throws(StorageError) -> Int64 {
        let version: Result<Int64, any Error> = await withCheckedContinuation { continuation in
            onWriter { database in
                continuation.resume(
                    returning: Result {
                        try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) ?? 0
                    })
            }
        }
        do { return try version.get() } catch { throw StorageError(error) }
    }

    /// What `PRAGMA integrity_check` and `foreign_key_check` complain of; empty for a sound file.
    package func integrityProblems() async throws(StorageError) -> [String] {
        try await read { database in
            let found = try String.fetchAll(database, sql: "PRAGMA integrity_check")
            let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { _ in "foreign key" }
            return found.filter { $0 != "ok" } + orphans
        }
    }

    /// Has the write-ahead log emptied within a second or so, as soon as nobody reads in it: what was removed from the file
    /// would stand in the log until it is overwritten.
    package func emptyLogSoon() { log.empty() }

    /// Looks at the write-ahead log's size, and folds it into the file if it has grown too large or is to be emptied.
    package func boundLog() async {
        guard log.isToBeFolded() else { return }
        do {
            try await pool.writeWithoutTransaction { [log] in try log.fold(in: $0) }
        } catch {
            logger.warning("sqlite.checkpoint_failed", metadata: ["cause": "\(StorageError(error))"])
        }
    }

    /// Runs until graceful shutdown, then until every queued write is answered.
    package func run() async throws {
        // Cancellation ends the loop as a shutdown does: what is queued is still written.
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await Task.sleep(for: WriteAheadLog.interval) } catch { return }
                await self.boundLog()
            }
        }
        // Writes follow reads.
        await reads.waitUntilIdle()
        await writes.waitUntilIdle()
        logger.debug("sqlite.stopped")
    }
}
