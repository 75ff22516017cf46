/// The rules of when whole copies are made, which are deleted, and which point is restored.
package enum PointPlan {
    /// A whole copy is made at least so often, so that older ones can be deleted.
    static let wholeSecondsMax: Int64 = 86_400
    /// No whole copy is made because of the size of later points before this time.
    static let wholeSecondsMin: Int64 = 3_600
    /// A whole copy is made after so many points, since a restore reads them one by one.
    static let laterPointsMax = 2_000
    /// A point is made at least so often, also without a change, so that the times of points show how time has passed.
    static let pointSecondsMax: Int64 = 300
    /// The most that the time between two points makes earlier ones older, at least. A longer one may be a clock that was set.
    static let gapSecondsMax: Int64 = 900
    /// The most whole copies at a target, each with the points after it.
    package static let copiesMax = 400

    /// The most points at a target, each with a part or two: a target lists no more than `CopyTargetFile.countMax` files, and some of
    /// them are slices of whole copies.
    static let pointsMax: Int64 = 200_000

    /// Returns the shortest pause in seconds between copies with which all points of a time to keep can be listed. A day's more are
    /// there until the whole copy after them is older than that.
    package static func everyMin(keepSeconds: Int64) -> Int64 { (keepSeconds + 2 * wholeSecondsMax) / pointsMax + 1 }

    /// Returns why the next copy has to be a whole one, or `nil` if the changed pages are enough.
    static func wholeCause(_ state: CopierState, now: Int64) -> String? {
        guard state.point != nil else { return "there is no earlier copy" }
        let age = now - state.wholeAt
        if age >= wholeSecondsMax || age < 0 { return "the last one is a day old" }
        if state.laterPoints >= laterPointsMax { return "a restore would read \(state.laterPoints) points" }
        if age >= wholeSecondsMin, state.laterBytes > state.wholeBytes { return "the changes since are larger than it" }
        return nil
    }

    /// Returns the first point to keep: older ones are needed for no moment of the last `keepSeconds`.
    ///
    /// No clock is believed alone: a point is as old as the sum of the times from each point to the next. A step back adds nothing,
    /// and one that is longer than the pause between points should be adds that pause only. So a clock that was set makes points
    /// older by a quarter of an hour at most, and a slow target, whose points are further apart, is pruned nonetheless.
    ///
    /// - Parameters:
    ///   - points: All points at the target, in their order.
    ///   - every: The pause between points in seconds.
    /// - Returns: A whole copy, or `nil` if there is none.
    static func firstKept(_ points: [CopyPointName], keepSeconds: Int64, every: Int64) -> CopyPointName? {
        let wholes = points.filter(\.isWhole)
        let allowed = wholes.suffix(copiesMax).first
        let gapMax = max(gapSecondsMax, 3 * every)
        var age: Int64 = 0
        var next = points.last
        for point in points.reversed() {
            let gap = (next?.time ?? point.time) - point.time
            age += min(max(gap, 0), gapMax)
            next = point
            if point.isWhole, age >= keepSeconds || point == allowed { return point }
        }
        return allowed
    }

    /// Returns the newest point that is not later than a time; without a time, the newest one.
    package static func point(_ points: [CopyPointName], at time: Int64?) -> CopyPointName? {
        guard let time else { return points.last }
        return points.last { $0.time <= time }
    }
}
