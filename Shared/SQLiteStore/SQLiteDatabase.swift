import CallDeadlines
package import GRDB
import Logging
import ServiceLifecycle
package import Storage

/// One SQLite file, shared by the replicas of a service on one host: many readers, group commits, nothing acknowledged
/// before it is on disk.
package final class SQLiteDatabase: Service, Sendable {
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
        try await writer.write(before: CallDeadline.current, body)
    }

    /// Reads a row or a few with one statement on the writer's connection, between two of its groups: the write that
    /// follows finds the page at hand, and the way to one of the pool's readers costs several times what the statement does.
    ///
    /// `body` sees all that was durable when it was called; it must not write. It waits for a commit that is under way, up
    /// to `busyWaitSeconds` when another process holds the file: what no write follows is better read with `read`.
    /// - Throws: what `body` throws, as `StorageError`.
    package func readOnWriter<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await writer.read(body)
    }

    /// A number that differs from the last one if another process has committed since.
    package func foreignVersion() async throws(StorageError) -> Int64 {
        do {
            return try await writer.read {
                try Int64.fetchOne($0.cachedStatement(sql: "PRAGMA data_version")) ?? 0
            }
        } catch {
            throw StorageError(error)
        }
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
            // The process stops; the next one empties the log at its start.
        } catch {
            logger.warning("sqlite.checkpoint_failed", metadata: ["cause": "\(StorageError(error))"])
        }
    }

    private func fold() async throws -> WriteAheadLog.Emptying {
        try await pool.writeWithoutTransaction { [log] in try log.fold(in: $0) }
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
        await writer.waitUntilIdle()
        // What follows closes the file.
        watch.look()
        logger.debug("sqlite.stopped")
    }
}
