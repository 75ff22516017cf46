internal import CoreMetrics
internal import Foundation
internal import GRDB
internal import Logging
internal import Synchronization

/// The `-wal` file of a database: measured every second, and kept bounded.
///
/// Checkpoints fold the log into the file again and again, but it starts from its front only when nobody reads in it. Where
/// readers overlap without end that never happens, so beyond `bytesMax` a checkpoint waits for them, for so short a time
/// that no write suffers. One reader that holds its transaction for long keeps the log growing all the same:
/// `sqlite_wal_stuck` is 1 and the log says so, until the reader ends.
final class WriteAheadLog: Sendable {
    static let interval: Duration = .seconds(1)

    private let path: String
    private let bytesMax: Int64
    private let wait: BusyWait
    private let logger: Logger
    private let size = Gauge(label: "sqlite_wal_bytes")
    private let stuck = Gauge(label: "sqlite_wal_stuck")
    private let isStuck = Mutex(false)

    init(databasePath: String, bytesMax: Int64, wait: BusyWait, logger: Logger) {
        path = databasePath + "-wal"
        self.bytesMax = bytesMax
        self.wait = wait
        self.logger = logger
    }

    /// Measures the log.
    func isTooLarge() -> Bool {
        let bytes = FileFacts.byteCount(path)
        size.record(bytes)
        return bytes > bytesMax
    }

    /// Folds the log into the file and empties it, if its readers end within `checkpointWaitMilliseconds`.
    func fold(in database: Database) throws {
        let isDone = try wait.atMost(.milliseconds(SQLiteLimits.checkpointWaitMilliseconds)) {
            // The first column: 1 when the checkpoint was blocked.
            try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
        }
        Counter(label: "sqlite_checkpoints_total", dimensions: [("outcome", isDone ? "done" : "blocked")]).increment()
        note(isStuck: !isDone)
        size.record(FileFacts.byteCount(path))
    }

    private func note(isStuck now: Bool) {
        stuck.record(now ? 1 : 0)
        let before = isStuck.withLock { state in
            defer { state = now }
            return state
        }
        guard now != before else { return }
        if now {
            logger.error("sqlite.wal_stuck", metadata: ["bytes": "\(FileFacts.byteCount(path))"])
        } else {
            logger.info("sqlite.wal_folded")
        }
    }
}
