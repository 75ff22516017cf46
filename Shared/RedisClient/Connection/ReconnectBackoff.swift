/// The delays between attempts to connect: doubled from the first to the longest, and shortened at random by up to half.
package struct ReconnectBackoff: Sendable, Equatable {
    /// The delay after the first failure.
    package var first: Duration = .milliseconds(10)
    /// The longest delay.
    package var longest: Duration = .milliseconds(500)
    /// More doublings would exceed any sensible `longest`.
    private static let doublingsMax = 16

    package init() {}

    /// Returns the delay before the next attempt.
    /// - Parameter failures: The number of failed attempts since the last success, at least 1.
    /// - Parameter jitter: A random number in 0…1, so that many clients do not reconnect at the same time.
    package func delay(afterFailures failures: Int, jitter: Double) -> Duration {
        let doublings = min(max(failures, 1) - 1, Self.doublingsMax)
        let delay = min(first * (1 << doublings), longest)
        return delay * (0.5 + min(max(jitter, 0), 1) / 2)
    }
}
