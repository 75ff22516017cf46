internal import GRDB
internal import Logging
internal import Storage
internal import Synchronization

/// Brings the write-ahead log into the file beside the writer, on a connection and a thread of its own.
///
/// SQLite by itself does so inside a commit, for which all writers would wait: a thousand pages that lie far apart take
/// tens of milliseconds to write and sync. None of these checkpoints waits for anybody (`PASSIVE`).
final class Checkpointer: Sendable {
    /// The first pass takes long, and leaves what was written meanwhile to the second, which leaves little.
    private static let passes = 2
    private static let pass = "PRAGMA wal_checkpoint(PASSIVE)"

    private let connection: DatabaseQueue
    private let turn = Mutex(CheckpointTurn())
    private let logger: Logger

    /// - Parameter connection: to the same file; nobody else uses it.
    init(connection: DatabaseQueue, logger: Logger) {
        self.connection = connection
        self.logger = logger
    }

    /// Called by the writer after each group, with its own connection and outside of any transaction.
    ///
    /// - Parameters:
    ///   - writes: in the group.
    ///   - rows: that it has changed.
    func committed(writes: Int, rows: Int, in database: Database) {
        switch turn.withLock({ $0.committed(writes: writes, rows: rows) }) {
        case .nothing: break
        case .beginBeside: beginBeside()
        case .finish: run(passes: 1, in: database)
        }
    }

    private func beginBeside() {
        connection.asyncWriteWithoutTransaction { [self] database in
            run(passes: Self.passes, in: database)
            turn.withLock { $0.endedBeside() }
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
