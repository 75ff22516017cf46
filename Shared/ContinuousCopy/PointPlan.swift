/// The rules of when whole copies are made, which are deleted, and which point is restored.
package enum PointPlan {
    /// A whole copy is made at least so often, so that older ones can be deleted.
    static let wholeSecondsMax: Int64 = 86_400
    /// No whole copy is made because of the size of later points before this time.
    static let wholeSecondsMin: Int64 = 3_600
    /// The most whole copies at a target, each with the points after it.
    package static let copiesMax = 400

    /// The most points at a target, each with a part or two: a target lists no more than `CopyTargetFile.countMax` files.
    static let pointsMax: Int64 = 200_000

    /// Returns the shortest pause in seconds between copies with which all points of a time to keep can be listed. A day's more are
    /// there until the whole copy after them is older than that.
    package static func everyMin(keepSeconds: Int64) -> Int64 { (keepSeconds + 2 * wholeSecondsMax) / pointsMax + 1 }

    /// Returns why the next copy has to be a whole one, or `nil` if the changed pages are enough.
    static func wholeCause(_ state: CopierState, now: Int64) -> String? {
        guard state.point != nil else { return "there is no earlier copy" }
        let age = now - state.wholeAt
        if age >= wholeSecondsMax || age < 0 { return "the last one is a day old" }
        if age >= wholeSecondsMin, state.laterBytes > state.wholeBytes { return "the changes since are larger than it" }
        return nil
    }

    /// Returns the first sequence to keep: older points are needed for no moment of the last `keepSeconds`.
    ///
    /// - Parameter points: All points at the target, in their order.
    static func firstKept(_ points: [CopyPointName], keepSeconds: Int64, now: Int64) -> Int64 {
        let wholes = points.filter(\.isWhole)
        let needed = wholes.last { $0.time <= now - keepSeconds } ?? wholes.first
        let allowed = wholes.suffix(copiesMax).first
        return max(needed?.sequence ?? 0, allowed?.sequence ?? 0)
    }

    /// Returns the newest point that is not later than a time; without a time, the newest one.
    package static func point(_ points: [CopyPointName], at time: Int64?) -> CopyPointName? {
        guard let time else { return points.last }
        return points.last { $0.time <= time }
    }
}
