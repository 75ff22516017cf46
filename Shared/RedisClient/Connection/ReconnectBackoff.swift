/// The delays between attempts to connect: doubling from the first to the longest, shortened at random by up to half.
package struct ReconnectBackoff: Sendable, Equatable {
    /// The delay after the first failure.
    package var first: Duration = .milliseconds(10)
    /// The longest delay.
    package var longest: Duration = .milliseconds(500)
    /// More doublings would pass any sensible `longest`.
    private static let doublingsMax = 16

    package init() {}

    /// The delay before the next attempt.
    /// - Parameter failures: attempts that failed since the last success, at least 1.
    /// - Parameter jitter: a random number of 0…1, so that many clients do not return in one instant.
    package func delay(afterFailures failures: Int, jitter: Double) -> Duration {
        let doublings = min(max(failures, 1) - 1, Self.doublingsMax)
        let delay = min(first * (1 << doublings), longest)
        return delay * (0.5 + min(max(jitter, 0), 1) / 2)
    }
}
