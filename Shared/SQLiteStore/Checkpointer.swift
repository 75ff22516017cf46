import GRDB
import Logging
import Storage
import Synchronization

/// Brings the write-ahead log into the file beside the writer, on a connection and a thread of its own.
///
/// SQLite by itself does so inside a commit, for which all writers would wait: a thousand pages that lie far apart take
/// tens of milliseconds to write and sync. None of these checkpoints waits for anybody (`PASSIVE`).
///
/// The log starts again from its front only when all of it is in the file. A checkpoint beside the writer never gets that
/// far while writes go on, so the writer does the short rest between two groups.
final class Checkpointer: Sendable {
    enum Phase: Sendable, Equatable {
        /// Rows changed since the last checkpoint.
        case resting(rows: Int)
        case besideWriter, awaitingFinalPass
    }

    /// The first pass takes long, and leaves what was written meanwhile to the second, which leaves little.
    private static let passes = 2
    private static let pass = "PRAGMA wal_checkpoint(PASSIVE)"

    private let connection: DatabaseQueue
    private let phase = Mutex(Phase.resting(rows: 0))
    private let logger: Logger

    /// - Parameter connection: to the same file; nobody else uses it.
    init(connection: DatabaseQueue, logger: Logger) {
        self.connection = connection
        self.logger = logger
    }

    /// Called by the writer after each group, with its own connection and outside of any transaction.
    ///
    /// - Parameter rows: that the group has changed.
    func committed(rows: Int, in database: Database) {
        let (before, after) = phase.withLock { phase in
            defer { phase = phase.afterGroup(rows: rows) }
            return (phase, phase.afterGroup(rows: rows))
        }
        switch (before, after) {
        case (.resting, .besideWriter): beginBeside()
        case (.awaitingFinalPass, _): run(passes: 1, in: database)
        default: break
        }
    }

    private func beginBeside() {
        connection.asyncWriteWithoutTransaction { [self] database in
            run(passes: Self.passes, in: database)
            phase.withLock { $0 = .awaitingFinalPass }
        }
    }

    private func run(passes: Int, in database: Database) {
        do {
            for _ in 0..<passes { _ = try Row.fetchOne(database.cachedStatement(sql: Self.pass)) }
        } catch {
            // The log stays as it is and the next turn tries again; what is committed is in it.
            logger.warning("sqlite.checkpoint_failed", metadata: ["cause": "\(StorageError(error))"])
        }
    }
}

extension Checkpointer.Phase {
    /// What follows when the writer has committed a group.
    func afterGroup(rows: Int) -> Self {
        switch self {
        case .besideWriter: .besideWriter
        case .awaitingFinalPass: .resting(rows: 0)
        case .resting(let earlier) where earlier + max(rows, 0) >= SQLiteLimits.checkpointRows: .besideWriter
        case .resting(let earlier): .resting(rows: earlier + max(rows, 0))
        }
    }
}
