import ServiceCalls
import Synchronization

/// The rate limit of an account, shared by all its sends, as the provider reports it with each response.
///
/// Resend counts by the second. A send beyond the limit would only be refused, again and again.
package final class SendPace: Sendable {
    /// The number of sends left, and until when. Unknown before the first response and after that time.
    private struct Window {
        var left: Int
        var ends: ContinuousClock.Instant
    }

    private static let resetSecondsMax: Int64 = 60
    private let window = Mutex<Window?>(nil)

    package init() {}

    /// Waits until the limit allows a send.
    ///
    /// - Returns: `false` if the limit allows none within `limit`.
    func waitForTurn(within limit: Duration) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while let opens = take(at: .now) {
            guard opens < deadline else { return false }
            do { try await Task.sleep(until: opens, clock: .continuous) } catch { return false }
        }
        return true
    }

    /// Counts one send, if any are left.
    ///
    /// - Returns: `nil` if one was left, else the time at which to try again.
    private func take(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        window.withLock { window in
            guard var open = window, now < open.ends else {
                window = nil
                return nil
            }
            guard open.left > 0 else { return open.ends }
            open.left -= 1
            window = open
            return nil
        }
    }

    /// Applies `ratelimit-remaining` and `ratelimit-reset` (seconds).
    func note(_ answer: ProviderAnswer) {
        guard let left = answer.headers["ratelimit-remaining"].flatMap({ Int($0) }),
            let seconds = answer.headers["ratelimit-reset"].flatMap({ Int64($0) }), left >= 0, seconds > 0
        else { return }
        let ends = ContinuousClock.now + .seconds(min(seconds, Self.resetSecondsMax))
        window.withLock { window in
            // If two responses arrive together, the one that counts both sends reports fewer left.
            let known = window.flatMap { ContinuousClock.now < $0.ends ? $0.left : nil } ?? left
            window = Window(left: min(known, left), ends: ends)
        }
    }
}
