package import CallDeadlines

/// Decides whether the wall clock was set while the process runs, and whether what it says may remove something.
///
/// Until an hour after a step, nothing is removed for its age: the step may be a mistake that is about to be corrected.
package struct ClockSteps: Sendable {
    /// The greatest change of the wall clock against the monotonic one that is no step, in milliseconds.
    static let toleranceMilliseconds: Int64 = 60_000
    static let pauseMilliseconds: Int64 = 3_600_000

    /// The wall clock less the monotonic one, as it was at the start or after the last step.
    private var distance: Int64
    /// The end of the pause, in milliseconds of `BootClock`.
    private var pauseEnd: Int64?

    package init(at start: Moment) { distance = start.wall - start.milliseconds }

    /// Notes the time, and returns by how many milliseconds the wall clock was set since the last step; `nil` if by no more than
    /// a minute.
    package mutating func note(_ moment: Moment) -> Int64? {
        let step = moment.wall - moment.milliseconds - distance
        guard step.magnitude > UInt64(Self.toleranceMilliseconds) else { return nil }
        distance += step
        pauseEnd = moment.milliseconds + Self.pauseMilliseconds
        return step
    }

    /// Whether nothing may be removed at a moment.
    package func isPaused(at moment: Moment) -> Bool { pauseEnd.map { moment.milliseconds < $0 } ?? false }
}
