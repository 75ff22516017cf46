import CoreMetrics
import Foundation
import GRDB
import Logging
import Synchronization

/// The `-wal` file of a database: measured every second, and kept bounded.
///
/// Checkpoints fold the log into the file again and again, but it starts from its front only when nobody reads in it. Where
/// readers overlap without end that never happens, so beyond `bytesMax` a checkpoint waits for them, for so short a time
/// that no write suffers. One reader that holds its transaction for long keeps the log growing all the same:
/// `sqlite_wal_stuck` is 1 and the log says so, until the reader ends.
///
/// After a removal the log is emptied, however short it is. So it is at the start of a process: the one before may have ended
/// between a removal and that.
final class WriteAheadLog: Sendable {
    static let interval: Duration = .seconds(1)

    private let path: String
    private let bytesMax: Int64
    private let wait: BusyWait
    private let logger: Logger
    private let size = Gauge(label: "sqlite_wal_bytes")
    private let stuck = Gauge(label: "sqlite_wal_stuck")
    private let isStuck = Mutex(false)
    private let isToBeEmptied = Mutex(true)

    init(databasePath: String, bytesMax: Int64, wait: BusyWait, logger: Logger) {
        path = databasePath + "-wal"
        self.bytesMax = bytesMax
        self.wait = wait
        self.logger = logger
    }

    /// Measures the log, and says whether it is to be folded into the file.
    func isToBeFolded() -> Bool {
        let isTooLarge = isTooLarge()
        return isToBeEmptied.withLock { $0 } || isTooLarge
    }

    /// Has it emptied at the next look, and the one after that, until it is.
    func empty() { isToBeEmptied.withLock { $0 = true } }

    private func isTooLarge() -> Bool {
        let bytes = FileFacts.byteCount(path)
        size.record(bytes)
        return bytes > bytesMax
    }

    /// Folds the log into the file and empties it, if its readers end within `checkpointWaitMilliseconds`.
    func fold(in database: Database) throws {
        // Before the checkpoint: what is removed after it has begun asks for another one.
        isToBeEmptied.withLock { $0 = false }
        var isDone = false
        defer { if !isDone { empty() } }
        isDone = try wait.atMost(.milliseconds(SQLiteLimits.checkpointWaitMilliseconds)) {
            // The first column: 1 when the checkpoint was blocked.
            try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
        }
        Counter(label: "sqlite_checkpoints_total", dimensions: [("outcome", isDone ? "done" : "blocked")]).increment()
        note(isStuck: isTooLarge() && !isDone)
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
