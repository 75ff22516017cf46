import CoreMetrics
import Dispatch
import Glibc
import Logging
import Synchronization

/// Looks once a second for a state of the log that only SQLite's WAL-reset bug leaves, and ends the process if it
/// finds one.
///
/// Our checkpoints avoid the bug (`CheckpointLock`); those of another program do not. The rows that they hide are
/// still in the log at first: once every process with the file is gone without closing it, SQLite's recovery reads
/// the whole log and keeps the rows. A clean close would delete them with the log. So the process exits without
/// closing anything, and the supervisor or compose starts it again. A process that starts while another one still has
/// the file open exits in the same way.
final class LogWatch: Sendable {
    private static let interval: Duration = .seconds(1)
    /// Time between two looks at a suspicious state: far more than a connection that restarts the log takes.
    private static let secondLookMicroseconds: UInt32 = 200_000
    /// Time for the log line to be written, and for `/readyz` and `/metrics` to be read.
    private static let noticeMicroseconds: UInt32 = 200_000
    /// A failure that another start may fix.
    private static let exitStatus: Int32 = 1

    private let words: @Sendable () -> LogWords?
    private let metrics: SQLiteMetrics
    private let logger: Logger
    private let end: @Sendable () -> Void
    private let hasFound = Atomic(false)
    private let queue = DispatchQueue(label: "sqlite.watch")

    /// - Parameters:
    ///   - words: Reads the words of the log's index.
    ///   - end: Ends the process without closing the file.
    init(
        metrics: SQLiteMetrics, logger: Logger, end: @escaping @Sendable () -> Void = LogWatch.endProcess,
        words: @escaping @Sendable () -> LogWords?
    ) {
        self.words = words
        self.metrics = metrics
        self.logger = logger
        self.end = end
    }

    /// Whether no look has found the log in an impossible state.
    var isSound: Bool { !hasFound.load(ordering: .relaxed) }

    /// Looks once a second, on a thread that waits for nothing else, until the watch is released.
    func start() {
        queue.asyncAfter(deadline: .now() + Self.interval / .seconds(1)) { [weak self] in
            self?.look()
            self?.start()
        }
    }

    /// Looks now, and ends the process if the log is in an impossible state. Blocks its thread if it is.
    ///
    /// Commits of others go on between the two looks, so only `copied` has to be the same.
    func look() {
        guard let first = words(), first.isImpossible else { return }
        usleep(Self.secondLookMicroseconds)
        guard let second = words(), second.isImpossible, second.copied == first.copied else { return }
        hasFound.store(true, ordering: .relaxed)
        metrics.impossible.increment()
        logger.error(
            "sqlite.wal_impossible",
            metadata: [
                "frames.copied": .stringConvertible(second.copied),
                "frames.committed": .stringConvertible(second.committed),
                "cause":
                    "another program has checkpointed the live file; the process exits so that SQLite recovers the log",
            ])
        end()
    }

    private static func endProcess() {
        usleep(noticeMicroseconds)
        _exit(exitStatus)
    }
}
