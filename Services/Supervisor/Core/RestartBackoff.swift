/// The wait before a process that exited is started again: 0.2 s, doubling to 5 s.
package struct RestartBackoff: Sendable, Equatable {
    package static let shortest: Duration = .milliseconds(200)
    package static let longest: Duration = .seconds(5)
    /// A process that was up for this long has recovered: the next wait is the shortest again.
    package static let forgetsAfter: Duration = .seconds(10)

    /// The number of exits in a row, none of them after a long time up.
    package private(set) var failures = 0

    package init() {}

    /// Counts an exit after `upTime` and returns the wait before the next start.
    package mutating func wait(afterRunning upTime: Duration) -> Duration {
        if upTime >= Self.forgetsAfter { failures = 0 }
        let doublings = min(failures, 5)
        failures += 1
        return min(Self.shortest * (1 << doublings), Self.longest)
    }
}
