import Synchronization

/// Limits lines about a state that lasts, such as a server that is away: each text at most once in ten seconds.
package final class LogLimit: Sendable {
    private static let interval: Duration = .seconds(10)

    private let latest = Mutex<[String: ContinuousClock.Instant]>([:])

    package init() {}

    /// Returns whether the line with this text is to be logged now.
    ///
    /// - Parameter text: One of few, since all of the last ten seconds are remembered.
    package func allows(_ text: String, now: ContinuousClock.Instant = .now) -> Bool {
        latest.withLock { latest in
            latest = latest.filter { now < $0.value + Self.interval }
            guard latest[text] == nil else { return false }
            latest[text] = now
            return true
        }
    }
}
