import CopyTargets
import Logging

extension Copier {
    /// The files at the target. They are listed once, since a listing of many takes longer than the pause between points.
    struct Upkeep {
        var points: [CopyPointName] = []
        /// `nil` before they are listed.
        var parts: [String]?
        /// Unix time in seconds of the last look for old points, and of the last failure.
        var lookedAt: Int64?
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
                if let lookedAt = upkeep.lookedAt, (0..<CopierSettings.pruneSeconds).contains(now - lookedAt) { return }
                upkeep.waste = try await findWaste()
                upkeep.lookedAt = now
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

    /// Finds what no moment needs, also parts without a point.
    private func findWaste() async throws(CopyTargetFailure) -> (points: Int, names: [String]) {
        let first = PointPlan.firstKept(
            upkeep.points, keepSeconds: settings.keepSeconds, every: settings.interval.components.seconds)
        guard let first, let firstPart = first.wholeFrom else { return (0, []) }
        if upkeep.parts == nil { upkeep.parts = try await target.list(CopyName.parts).map(\.name) }
        let isOld = { (part: String) in CopyName.sequence(ofPart: part).map { $0 < firstPart } ?? false }
        let (points, parts) = (upkeep.points.filter { $0 < first }, upkeep.parts?.filter(isOld) ?? [])
        upkeep.points.removeFirst(points.count)
        upkeep.parts?.removeAll(where: isOld)
        // Manifests go first, the newest one before those that it needs: a point that is found has all its parts.
        return (points.count, parts + points.map(\.text))
    }
}
