import CoreMetrics
import Foundation
import GRDB
import Logging
import ServiceKit
import Synchronization

/// The `-wal` file of a database: measured every second, and kept bounded.
///
/// Checkpoints copy the log into the file again and again, but it starts from its front only when nothing reads in
/// it. Where readers overlap without end that never happens, so beyond `bytesMax` a checkpoint waits for them, for so
/// short a time that no write suffers. One reader that keeps its transaction open for long makes the log grow all the
/// same: `sqlite_wal_stuck` is 1 and the log says so, until the reader ends.
///
/// After a removal the log is emptied, however short it is. It is also emptied when a process starts, since the previous
/// process may have exited between a removal and the emptying. All of it runs under `CheckpointLock`.
final class WriteAheadLog: Sendable {
    static let interval: Duration = .seconds(1)

    /// The result of an attempt to empty the log.
    enum Emptying: String, CaseIterable {
        case done
        /// A reader, or another process's commit, was in the way.
        case blocked
        /// A cycle of checkpoints is under way, here or in another process.
        case locked
    }

    private let path: String
    private let databasePath: String
    private let bytesMax: Int64
    private let wait: BusyWait
    private let checkpointer: Checkpointer
    private let logger: Logger
    private let size = Gauge(label: "sqlite_wal_bytes")
    private let stuck = Gauge(label: "sqlite_wal_stuck")
    private let isStuck = Mutex(false)
    private let isToBeEmptied = Mutex(true)

    init(databasePath: String, bytesMax: Int64, wait: BusyWait, checkpointer: Checkpointer, logger: Logger) {
        path = databasePath + "-wal"
        self.databasePath = databasePath
        self.bytesMax = bytesMax
        self.wait = wait
        self.checkpointer = checkpointer
        self.logger = logger
        for result in Emptying.allCases { _ = Self.counter(of: result) }
    }

    private static func counter(of result: Emptying) -> Counter {
        Counter(label: "sqlite_checkpoints_total", dimensions: [("outcome", result.rawValue)])
    }

    /// Measures the log and returns whether it is to be emptied.
    func isToBeFolded() -> Bool {
        let isTooLarge = isTooLarge()
        if let time = checkpointer.marker.copiedAt {
            Gauge(label: "sqlite_copy_age_seconds").record(max(0, UnixTime.seconds() - time))
        }
        if let time = BackupTime.read(databasePath: databasePath) {
            let age = UnixTime.seconds().subtractingReportingOverflow(time).partialValue
            Gauge(label: "sqlite_backup_age_seconds").record(max(0, age))
        }
        return isToBeEmptied.withLock { $0 } || isTooLarge
    }

    /// Has the log emptied at the next look; if that fails, at the looks after it.
    func empty() { isToBeEmptied.withLock { $0 = true } }

    private func isTooLarge() -> Bool {
        let bytes = FileFacts.byteCount(path)
        size.record(bytes)
        return bytes > bytesMax
    }

    /// Copies the log into the file and empties it, if its readers end within `checkpointWaitMilliseconds`.
    func fold(in database: Database) throws -> Emptying {
        // Before the checkpoint: a removal after it has begun requests another one.
        isToBeEmptied.withLock { $0 = false }
        var result = Emptying.blocked
        defer { if result != .done { empty() } }
        result = try wait.atMost(.milliseconds(SQLiteLimits.checkpointWaitMilliseconds)) {
            try checkpointer.holdingLock { try truncate(in: database) ? .done : .blocked } ?? .locked
        }
        return result
    }

    /// Counts the result of a look, and notes whether the log stays too large.
    func note(_ result: Emptying) {
        Self.counter(of: result).increment()
        note(isStuck: isTooLarge() && result != .done)
    }

    /// Truncates the log. The caller has the lock.
    ///
    /// If all frames were copied already, a `TRUNCATE` that does not get SQLite's write lock in time would continue as a
    /// passive checkpoint, concurrent with the other connection's commit. So a commit of our own comes first, and the index
    /// has to show its frame. If that commit fails, as on a full disk, frames that were uncopied before serve instead.
    private func truncate(in database: Database) throws -> Bool {
        let mark = Result { try Self.commitMark(in: database) }
        guard checkpointer.hasUncopied else {
            try mark.get()
            return false
        }
        // The first column is 1 if the checkpoint was blocked.
        let pass = { try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0 }
        return try checkpointer.marker.emptying { isMarking in
            isMarking ? try wait.atMost(.zero, pass) : try pass()
        } commit: {
            try Self.commitMark(in: database)
        }
    }

    /// Commits a new number in the file's header, which nothing else uses.
    private static func commitMark(in database: Database) throws {
        let number = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        try database.execute(sql: "PRAGMA user_version = \(number == .max ? 0 : number + 1)")
    }

    private func note(isStuck now: Bool) {
        stuck.record(now ? 1 : 0)
        let before = isStuck.withLock { state in
            defer { state = now }
            return state
        }
        guard now != before else { return }
        if now {
            logger.error("sqlite.wal_stuck", metadata: ["bytes": .stringConvertible(FileFacts.byteCount(path))])
        } else {
            logger.info("sqlite.wal_folded")
        }
    }
}
