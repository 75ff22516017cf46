package import CopyTargets
import CryptoPrimitives
import Glibc
package import Logging
import PrivateFiles
import SQLiteStore

/// Copies databases to a target again and again, sealed, while services write to them.
///
/// Each turn ends in a new point, or leaves a draft that the next turn continues. A point has the pages that have changed since the
/// point before; the first one, and one each day, has all pages. What was taken from the databases and is in no point stays marked
/// next to them, so that a copier that was killed copies it again. A copier that cannot know all changes makes a whole copy.
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
    var markerSeenAt: Int64 = 0
    var sources: [PageSource] = []
    var draft: CopyDraft?
    var partBytes: Int
    private var prunedAt: Int64?
    private var pruneFailedAt: Int64?
    /// The files that no moment needs any more, and how many of them are points. The last one is deleted first.
    private var waste: (points: Int, names: [String]) = (0, [])
    private var lock: Int32?

    /// - Parameter clock: Returns the Unix time in seconds.
    /// - Throws: `CopyFailure` if another copier runs in the folder, or if its record cannot be read or made.
    package init(
        _ settings: CopierSettings, target: any CopyTarget, logger: Logger, clock: @escaping () -> Int64
    ) throws(CopyFailure) {
        (self.settings, self.target, self.logger, self.clock) = (settings, target, logger, clock)
        spool = CopySpool(folder: settings.folder)
        partBytes = settings.partBytesMax
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
            let start = ContinuousClock.now
            do throws(CopyFailure) {
                _ = try await turn()
                failures = 0
            } catch {
                guard error.reason != .otherCopier else { throw error }
                failures += 1
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
        let start = clock()
        try openDatabases()
        if !isTargetKnown { try await checkTarget() }
        do { try await fill() } catch let loss as PageSource.Loss {
            // The marks do not tell all changes. Everything is copied.
            draft = nil
            try forgetPoint()
            logger.info("copier.marks_lost", metadata: ["cause": "\(loss.rawValue)"])
            try await fill()
        }
        guard let draft else { return .unchanged }
        let turn: Turn = draft.isEmpty ? .unchanged : .copied
        if turn == .copied { try await complete(draft) } else { try await requireMarker(now: start) }
        self.draft = nil
        for source in sources { try source.confirm(copiedAt: start) }
        if turn == .copied || start - state.copiedAt >= CopierSettings.markerSeconds / 2 {
            state.copiedAt = start
            try state.write(to: settings.folder)
        }
        await prune(now: start)
        return turn
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

    func dropDraft() { draft = nil }

    /// Whether the draft would not be the newest point.
    func isDraftOld(_ newest: Int64) -> Bool { draft.map { $0.sequence <= newest } ?? false }

    /// Forgets the newest point, durably, so that the next copy is a whole one whatever happens.
    func forgetPoint() throws {
        (state.point, state.attempt, draft) = (nil, nil, nil)
        try state.write(to: settings.folder)
    }
}

// MARK: - Upkeep

extension Copier {
    /// Deletes the points that `keepSeconds` no longer needs. It looks for them at most once an hour. A day's points are tens of
    /// thousands of files, for which the next copy must not wait, so each turn deletes for a short time.
    private func prune(now: Int64) async {
        if let pruneFailedAt, (0..<CopierSettings.pruneRetrySeconds).contains(now - pruneFailedAt) { return }
        do throws(CopyTargetFailure) {
            if waste.names.isEmpty {
                if let prunedAt, (0..<CopierSettings.pruneSeconds).contains(now - prunedAt) { return }
                waste = try await findWaste(now: now)
                prunedAt = now
                guard !waste.names.isEmpty else { return }
            }
            let end = ContinuousClock.now + CopierSettings.pruneLimit
            while !waste.names.isEmpty, .now < end {
                let names = Array(waste.names.suffix(CopierSettings.pruneStep))
                try await target.remove(names)
                waste.names.removeLast(names.count)
            }
            if waste.names.isEmpty { logger.info("copier.pruned", metadata: ["points": "\(waste.points)"]) }
        } catch {
            pruneFailedAt = now
            logger.warning(
                "copier.not_pruned", metadata: ["reason": "\(error.reason.rawValue)", "cause": "\(error.detail)"])
        }
    }

    /// Finds what no moment needs. The parts of points that an earlier process has deleted are found at the first call only.
    private func findWaste(now: Int64) async throws(CopyTargetFailure) -> (points: Int, names: [String]) {
        let points = try await CopyPointName.all(at: target)
        let first = PointPlan.firstKept(points, keepSeconds: settings.keepSeconds, now: now)
        let old = points.filter { $0.sequence < first }
        guard !old.isEmpty || prunedAt == nil else { return (0, []) }
        let parts = try await target.list(CopyName.parts).map(\.name)
        // Manifests go first, the newest one before those that it needs: a point that is found has all its parts.
        return (old.count, parts.filter { CopyName.sequence(ofPart: $0).map { $0 < first } ?? false } + old.map(\.text))
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
