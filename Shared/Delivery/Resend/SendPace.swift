import ServiceCalls
import Synchronization

/// One pace for all sends of an account, as its provider tells it with each answer.
///
/// Resend counts by the second: whoever sends on once nothing is left is only refused, and refused again.
package final class SendPace: Sendable {
    /// What is left until when; nothing is known before the first answer, and after that time.
    private struct Window {
        var left: Int
        var ends: ContinuousClock.Instant
    }

    private static let resetSecondsMax: Int64 = 60
    private let window = Mutex<Window?>(nil)

    package init() {}

    /// Waits until a send fits.
    ///
    /// - Returns: false when none does within `limit`.
    func waitForTurn(within limit: Duration) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while let opens = take(at: .now) {
            guard opens < deadline else { return false }
            do { try await Task.sleep(until: opens, clock: .continuous) } catch { return false }
        }
        return true
    }

    /// Takes one of what is left.
    ///
    /// - Returns: nil when it fits, else when to ask again.
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

    /// Heeds `ratelimit-remaining` and `ratelimit-reset` (seconds).
    func note(_ answer: ProviderAnswer) {
        guard let left = answer.headers["ratelimit-remaining"].flatMap({ Int($0) }),
            let seconds = answer.headers["ratelimit-reset"].flatMap({ Int64($0) }), left >= 0, seconds > 0
        else { return }
        let ends = ContinuousClock.now + .seconds(min(seconds, Self.resetSecondsMax))
        window.withLock { window in
            // Of two answers to sends at once the one that knows of both has less left.
            let known = window.flatMap { ContinuousClock.now < $0.ends ? $0.left : nil } ?? left
            window = Window(left: min(known, left), ends: ends)
        }
    }
}
