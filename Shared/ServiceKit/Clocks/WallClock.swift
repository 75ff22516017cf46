package import CallDeadlines
package import Logging
import Synchronization

/// A process's wall clock, for work that removes something because of its age.
package final class WallClock: Sendable {
    private let steps: Mutex<ClockSteps>
    private let moment: @Sendable () -> Moment
    private let logger: Logger

    /// - Parameter moment: Reads the clocks; tests set them.
    package init(logger: Logger, moment: @escaping @Sendable () -> Moment = { .now() }) {
        self.logger = logger
        self.moment = moment
        steps = Mutex(ClockSteps(at: moment()))
    }

    /// Returns the Unix time in seconds for sweeps, removals, retention and the rotation of keys; `nil` while they pause, because
    /// the clock was set by more than a minute in the last hour.
    package func secondsForRemovals() -> Int64? {
        let now = moment()
        let (step, isPaused) = steps.withLock { ($0.note(now), $0.isPaused(at: now)) }
        if let step {
            logger.error(
                "clock.stepped",
                metadata: [
                    "seconds": "\(ClockDifference.text(step))",
                    "hint":
                        "nothing is removed for its age, and no key is rotated, for an hour; check this host's time",
                ])
        }
        return isPaused ? nil : now.wall / 1_000
    }
}
