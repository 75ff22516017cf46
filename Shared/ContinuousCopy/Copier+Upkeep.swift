import CopyTargets
import Logging

extension Copier {
    /// What is known of old points at the target.
    struct Upkeep {
        /// Unix time in seconds of the last listing, and of the last failure.
        var listedAt: Int64?
        var failedAt: Int64?
        /// The files that no moment needs any more, and how many of them are points. The last one is deleted first.
        var waste: (points: Int, names: [String]) = (0, [])
    }

    /// Deletes the points that `keepSeconds` no longer needs. It looks for them at most once an hour. A day's points are tens of
    /// thousands of files, for which the next copy must not wait, so each turn deletes for a short time.
    func prune(now: Int64) async {
        if let failedAt = upkeep.failedAt, (0..<CopierSettings.pruneRetrySeconds).contains(now - failedAt) { return }
        do {
            if upkeep.waste.names.isEmpty {
                if let listedAt = upkeep.listedAt, (0..<CopierSettings.pruneSeconds).contains(now - listedAt) { return }
                upkeep.waste = try await findWaste()
                upkeep.listedAt = now
                guard !upkeep.waste.names.isEmpty else { return }
            }
            try await requireOwnMarker()
            let end = ContinuousClock.now + CopierSettings.pruneLimit
            while !upkeep.waste.names.isEmpty, .now < end {
                let names = Array(upkeep.waste.names.suffix(CopierSettings.pruneStep))
                try await target.remove(names)
                upkeep.waste.names.removeLast(names.count)
            }
            if upkeep.waste.names.isEmpty {
                logger.info("copier.pruned", metadata: ["points": "\(upkeep.waste.points)"])
            }
        } catch {
            upkeep.failedAt = now
            let failure = CopyFailure(any: error)
            logger.warning(
                "copier.not_pruned", metadata: ["reason": "\(failure.reason.rawValue)", "cause": "\(failure.detail)"])
        }
    }

    /// Finds what no moment needs. The parts of points that an earlier process has deleted are found at the first call only.
    private func findWaste() async throws(CopyTargetFailure) -> (points: Int, names: [String]) {
        let points = try await CopyPointName.all(at: target)
        let first = PointPlan.firstKept(
            points, keepSeconds: settings.keepSeconds, every: settings.interval.components.seconds)
        guard let first, let firstPart = first.wholeFrom else { return (0, []) }
        let old = points.filter { $0 < first }
        guard !old.isEmpty || upkeep.listedAt == nil else { return (0, []) }
        let parts = try await target.list(CopyName.parts).map(\.name)
            .filter { CopyName.sequence(ofPart: $0).map { $0 < firstPart } ?? false }
        // Manifests go first, the newest one before those that it needs: a point that is found has all its parts.
        return (old.count, parts + old.map(\.text))
    }
}
