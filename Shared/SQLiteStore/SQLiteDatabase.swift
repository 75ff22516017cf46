import CallDeadlines
import GRDB
import Logging
import ServiceLifecycle
package import Storage

/// One SQLite file, shared by the replicas of a service on one host: many readers, group commits, nothing acknowledged
/// before it is on disk.
package final class SQLiteDatabase: StorageDatabase {
    package let kind = DatabaseKind.sqlite
    private let pool: DatabasePool
    private let writer: Writer
    private let log: WriteAheadLog
    private let watch: LogWatch
    private let metrics: SQLiteMetrics
    private let logger: Logger

    init(
        pool: DatabasePool, writer: Writer, log: WriteAheadLog, watch: LogWatch, metrics: SQLiteMetrics, logger: Logger
    ) {
        self.pool = pool
        self.writer = writer
        self.log = log
        self.watch = watch
        self.metrics = metrics
        self.logger = logger
    }

    /// Reads a consistent snapshot on a reader connection, off the cooperative pool.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (any StatementReader) throws -> Value
    ) async throws -> Value {
        try await withReader { try body(SQLiteReader($0)) }
    }

    /// Only durable changes can be read.
    package func readDurably<Value: Sendable>(
        _ body: @escaping @Sendable (any StatementReader) throws -> Value
    ) async throws -> Value {
        try await read(body)
    }

    package func confirm() async throws {}

    /// Runs `body` in the next group commit.
    ///
    /// `body` sees the writes of earlier bodies of its group, and only its own changes are undone if it throws. It runs on
    /// the writer's thread: sign and hash elsewhere.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value
    ) async throws -> Value {
        try await withWriter { try SQLiteTransaction.run(in: $0, body) }
    }

    func withReader<T: Sendable>(
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

    func withWriter<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        // The writer's thread does not know the waiting task.
        try await writer.write(before: CallDeadline.current, body)
    }

    /// Reads on the writer's connection, between two of its groups. The page is then in memory for the write that follows, and a
    /// reader from the pool would cost several times as much as the statement. It waits for a commit in progress, up to
    /// `busyWaitSeconds` if another process has the file locked.
    package func readBeforeWrite<Value: Sendable>(
        _ body: @escaping @Sendable (any StatementReader) throws -> Value
    ) async throws -> Value {
        try await writer.read { try body(SQLiteReader($0)) }
    }

    /// Returns the problems that `PRAGMA integrity_check` and `foreign_key_check` report; empty for a sound file.
    package func integrityProblems() async throws(StorageError) -> [String] {
        try await withReader { database in
            let found = try String.fetchAll(database, sql: "PRAGMA integrity_check")
            let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { _ in "foreign key" }
            return found.filter { $0 != "ok" } + orphans
        }
    }

    /// Has the write-ahead log emptied within about a second, as soon as no reader uses it: rows that were removed from the
    /// file would otherwise remain in the log until they are overwritten.
    package func wipeRemoved() { log.empty() }

    /// Whether the file's log has not been found in an impossible state (`LogWatch`).
    var isSound: Bool { watch.isSound }

    /// Measures the write-ahead log and empties it if it has grown too large or is to be emptied.
    ///
    /// While a cycle of checkpoints has the lock, it tries again after a pause, for less than a second.
    package func boundLog() async {
        guard log.isToBeFolded() else { return }
        do {
            var result = try await fold()
            for _ in 1..<SQLiteLimits.checkpointTriesMax where result == .locked {
                try await Task.sleep(for: SQLiteLimits.checkpointTryPause)
                result = try await fold()
            }
            log.note(result)
        } catch is CancellationError {
            // The process is exiting; the next one empties the log when it starts.
        } catch {
            logger.warning("sqlite.checkpoint_failed", metadata: ["cause": "\(StorageError(error))"])
        }
    }

    private func fold() async throws -> WriteAheadLog.Emptying {
        try await pool.writeWithoutTransaction { [log] in try log.fold(in: $0) }
    }

    /// Runs until graceful shutdown, then until every queued write is answered.
    package func run() async throws {
        // Cancellation ends the loop like a shutdown: queued writes are still written.
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await Task.sleep(for: WriteAheadLog.interval) } catch { return }
                await self.boundLog()
            }
        }
        await writer.waitUntilIdle()
        // The database file is closed after this.
        watch.look()
        logger.debug("sqlite.stopped")
    }
}
