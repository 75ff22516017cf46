import CoreMetrics
import Dispatch
import GRDB
import Logging
import Storage
import Synchronization

/// Copies the write-ahead log into the file alongside the writer, on a connection and a thread of its own.
///
/// SQLite on its own does so inside a commit, and all writers would wait: a thousand pages that are far apart take
/// tens of milliseconds to write and sync. No checkpoint here waits for readers or writers (`PASSIVE`).
///
/// The log starts again from its front only when all of it is in the file. A checkpoint next to the writer never gets
/// that far while writes go on, so the writer copies the short rest between two groups. Both together are one cycle.
/// It runs under `CheckpointLock`, whose protocol each pass follows.
final class Checkpointer: Sendable {
    /// The state of this process's checkpoints. The lock is held in all of them but `idle`.
    enum Phase: Sendable, Equatable {
        /// `rows` have changed since the last cycle.
        case idle(rows: Int)
        case besideWriter
        /// The next group does the final pass if it comes before `end`.
        case awaitingFinalPass(end: ContinuousClock.Instant)
        /// The writer's own thread checkpoints.
        case onWriter
    }

    /// The writer's next step after a group.
    enum Step: Equatable { case goOn, begin, finish }

    /// The first pass takes long and leaves the frames written meanwhile to the second, which leaves few.
    private static let passes = 2
    private static let pass = "PRAGMA wal_checkpoint(PASSIVE)"

    private let index: LogIndex
    private let lock: CheckpointLock
    /// Marks the pages that a pass copies, for the continuous copy.
    let marker: PageMarker
    private let rowsMin: Int
    private let metrics: SQLiteMetrics
    private let logger: Logger
    private let phase = Mutex(Phase.idle(rows: 0))
    private let clock = DispatchQueue(label: "sqlite.checkpoint.hold")

    /// - Parameters:
    ///   - index: The index of the log, over a connection that nothing else uses.
    ///   - rowsMin: Changed rows after which a cycle begins.
    init(
        index: LogIndex, lock: CheckpointLock, marker: PageMarker, rowsMin: Int, metrics: SQLiteMetrics, logger: Logger
    ) {
        self.index = index
        self.lock = lock
        self.marker = marker
        self.rowsMin = rowsMin
        self.metrics = metrics
        self.logger = logger
    }

    /// Whether a checkpoint has something to copy. The answer holds for as long as the lock is held.
    var hasUncopied: Bool { index.words?.hasUncopied == true }

    /// Begins or finishes a cycle if one is due. Called by the writer after each group, outside of any transaction.
    ///
    /// - Parameters:
    ///   - rows: Rows that the group has changed.
    ///   - database: The writer's connection.
    func committed(rows: Int, in database: Database) {
        switch phase.withLock({ $0.noteGroup(rows: rows, rowsMin: rowsMin, now: .now) }) {
        case .goOn: break
        case .begin: begin()
        case .finish: holdingLock { pass(in: database) }
        }
    }

    /// Runs `body` with the lock held, on the writer's thread, in place of a final pass if one is awaited.
    ///
    /// - Returns: `nil` if a cycle is under way, here or in another process.
    @discardableResult
    func holdingLock<Value>(_ body: () throws -> Value) rethrows -> Value? {
        let isHeld = phase.withLock { phase in
            switch phase {
            case .besideWriter, .onWriter: return false
            case .idle: guard lock.tryTake() else { return false }
            case .awaitingFinalPass: break
            }
            phase = .onWriter
            return true
        }
        guard isHeld else { return nil }
        defer { phase.withLock { rest(&$0) } }
        return try body()
    }

    /// Begins a cycle, unless another process has the lock or nothing is to be copied.
    private func begin() {
        let isBegun = phase.withLock { phase in
            guard lock.tryTake() else { return false }
            guard hasUncopied else {
                rest(&phase)
                return false
            }
            phase = .besideWriter
            return true
        }
        guard isBegun else { return }
        metrics.cycles.increment()
        let end = ContinuousClock.now + SQLiteLimits.checkpointHold
        index.connection.asyncWriteWithoutTransaction { [self] in passBeside(in: $0, until: end) }
    }

    private func passBeside(in database: Database, until end: ContinuousClock.Instant) {
        for _ in 0..<Self.passes where .now < end { pass(in: database) }
        let left = end - .now
        let isAwaiting = phase.withLock { phase in
            guard left > .zero else {
                rest(&phase)
                return false
            }
            phase = .awaitingFinalPass(end: end)
            return true
        }
        guard isAwaiting else { return }
        clock.asyncAfter(deadline: .now() + left / .seconds(1)) { [weak self] in self?.release(endedBy: .now) }
    }

    /// Releases the lock of a cycle whose final pass has not come in time.
    private func release(endedBy now: ContinuousClock.Instant) {
        phase.withLock { phase in
            if case .awaitingFinalPass(let end) = phase, end <= now { rest(&phase) }
        }
    }

    private func rest(_ phase: inout Phase) {
        lock.release()
        phase = .idle(rows: 0)
    }

    /// Copies what is uncopied. The caller has the lock.
    private func pass(in database: Database) {
        guard hasUncopied else { return }
        do {
            try marker.beforePass { _ = try Row.fetchOne(database.cachedStatement(sql: Self.pass)) }
        } catch {
            // The log stays unchanged, so no committed row is lost, and the next cycle tries again.
            logger.warning("sqlite.checkpoint_failed", metadata: ["cause": "\(StorageError(error))"])
        }
    }
}

extension Checkpointer.Phase {
    /// Counts a group's rows and decides what the writer does next.
    mutating func noteGroup(rows: Int, rowsMin: Int, now: ContinuousClock.Instant) -> Checkpointer.Step {
        switch self {
        case .besideWriter, .onWriter: return .goOn
        // After that time the lock is about to be released.
        case .awaitingFinalPass(let end): return now < end ? .finish : .goOn
        case .idle(let earlier):
            let sum = earlier + max(rows, 0)
            self = .idle(rows: sum)
            return sum >= rowsMin ? .begin : .goOn
        }
    }
}
