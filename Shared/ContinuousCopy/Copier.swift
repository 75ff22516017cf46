package import CopyTargets
import CryptoPrimitives
import Glibc
package import Logging
import PrivateFiles
import SQLiteStore

/// Copies databases to a target again and again, sealed, while services write to them.
///
/// Each turn ends in a new point, or leaves a draft that the next turn continues. A point has the pages that have changed since the
/// point before; the first one, and one each day, has all pages, which are stored in slices between the points before it. What was
/// taken from the databases and is in no point stays marked next to them, so that a copier that was killed copies it again. A
/// copier that cannot know all changes begins with a whole copy.
package final class Copier {
    /// The result of a turn.
    package enum Turn: Sendable, Equatable { case copied, unchanged }

    let settings: CopierSettings
    let target: any CopyTarget
    let logger: Logger
    let spool: CopySpool
    let clock: () -> Int64
    var state: CopierState
    /// Whether the target is known to be this copier's, with `state.point` as its newest point.
    var isTargetKnown = false
    /// Whether a target of another copier may still become this one's. Once it was, the other one may have a reason to come back.
    var mayTakeOver: Bool
    var sources: [PageSource] = []
    var draft: CopyDraft?
    var whole: WholeDraft?
    var partBytes: Int
    var upkeep = Upkeep()
    private var lock: Int32?

    /// - Parameter clock: Returns the Unix time in seconds.
    /// - Throws: `CopyFailure` if another copier runs in the folder, or if its record cannot be read or made.
    package init(
        _ settings: CopierSettings, target: any CopyTarget, logger: Logger, clock: @escaping () -> Int64
    ) throws(CopyFailure) {
        (self.settings, self.target, self.logger, self.clock) = (settings, target, logger, clock)
        spool = CopySpool(folder: settings.folder)
        (partBytes, mayTakeOver) = (settings.partBytesMax, settings.takesOver)
        lock = try spool.lock()
        do {
            state = try CopierState.read(in: settings.folder) ?? CopierState(target: settings.target)
            try state.write(to: settings.folder)
        } catch { throw CopyFailure(any: error) }
    }

    /// Copies until the task is cancelled.
    ///
    /// - Throws: `CopyFailure` if the target belongs to another copier; every other failure is logged and tried again.
    package func run() async throws(CopyFailure) {
        var failures = 0
        while !Task.isCancelled {
            let (start, sequence) = (ContinuousClock.now, state.sequence)
            do throws(CopyFailure) {
                _ = try await turn()
                failures = 0
            } catch {
                guard error.reason != .otherCopier else { throw error }
                // A slice that fails holds no point up.
                failures = state.sequence > sequence ? 0 : failures + 1
            }
            let pause = min(
                settings.interval * (1 << min(failures, 6)), max(CopierSettings.pauseMax, settings.interval))
            do { try await Task.sleep(until: start + pause, clock: .continuous) } catch { return }
        }
    }

    /// Makes a point of all that has changed, and notes success or failure in log and record.
    @discardableResult
    package func turn() async throws(CopyFailure) -> Turn {
        do {
            let turn = try await copy()
            if let failure = state.failure {
                state.failure = nil
                logger.info("copier.recovered", metadata: ["reason": "\(failure.reason.rawValue)"])
                try state.write(to: settings.folder)
            }
            return turn
        } catch {
            let failure = CopyFailure(any: error)
            note(failure)
            throw failure
        }
    }

    private func copy() async throws -> Turn {
        let (start, sliceEnd) = (clock(), ContinuousClock.now + settings.interval)
        try openDatabases()
        if isTargetKnown { try await requireOwnMarker() } else { try await checkTarget() }
        do { try await read() } catch let loss as PageSource.Loss {
            // The marks do not tell all changes. Everything is copied.
            try forgetPoint()
            logger.info("copier.marks_lost", metadata: ["cause": "\(loss.rawValue)"])
            try await read()
        }
        guard let draft else { return .unchanged }
        let turn: Turn = draft.isEmpty && !isPointDue(now: start) ? .unchanged : .copied
        if turn == .copied { try await complete(draft) }
        self.draft = nil
        for source in sources { try source.confirm(copiedAt: start) }
        if turn == .copied || (start - state.copiedAt).magnitude >= CopierSettings.noteSeconds {
            state.copiedAt = start
            try state.write(to: settings.folder)
        }
        await prune(now: start)
        try await slice(until: sliceEnd)
        return turn
    }

    /// Reads what the next point needs.
    private func read() async throws {
        try begin()
        // Without an earlier point, there is none before the whole copy.
        if state.point == nil { try await slice(until: nil) }
        try await fill()
    }

    /// Whether a point is made also without a change.
    private func isPointDue(now: Int64) -> Bool {
        if let whole, whole.next == nil { return true }
        return state.pointTime.map { (now - $0).magnitude >= PointPlan.pointSecondsMax } ?? true
    }

    /// Closes the databases, so that another copier can copy them.
    package func close() {
        (sources, draft) = ([], nil)
        // Also for a child process that is just being started, which has the descriptor too.
        if let lock {
            flock(lock, LOCK_UN)
            Glibc.close(lock)
        }
        lock = nil
    }

    private func openDatabases() throws {
        guard sources.isEmpty else { return }
        sources = try settings.databases.map { try PageSource(path: $0.path, copier: state.idBytes) }
    }

    /// Whether the draft would not be the newest point.
    func isDraftOld(_ newest: Int64) -> Bool { draft.map { $0.sequence <= newest } ?? false }

    /// Forgets the newest point, durably, so that the next copy is a whole one whatever happens.
    func forgetPoint() throws {
        (state.point, state.attempt, draft, whole) = (nil, nil, nil, nil)
        try state.write(to: settings.folder)
    }

    /// Logs a failure once for each reason and cause, and keeps it for `latchkeyctl doctor`.
    private func note(_ failure: CopyFailure) {
        guard state.failure?.reason != failure.reason || state.failure?.detail != failure.detail else { return }
        logger.warning(
            "copier.failed", metadata: ["reason": "\(failure.reason.rawValue)", "cause": "\(failure.detail)"])
        state.failure = .init(
            reason: failure.reason, detail: failure.detail, since: state.failure?.since ?? clock())
        do { try state.write(to: settings.folder) } catch {
            logger.warning("copier.failed", metadata: ["reason": "noRoom", "cause": "\(CopyFailure(any: error))"])
        }
    }
}
