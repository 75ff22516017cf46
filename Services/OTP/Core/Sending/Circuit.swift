import CoreMetrics
import Synchronization

/// Keeps an unavailable provider from delaying all requests. After some failures nothing is sent to it for a while. Then one
/// message tries whether it is available again.
final class Circuit: Sendable {
    /// The number of failures within `window` that open it.
    static let failuresMax = 5
    static let window: Duration = .seconds(30)
    /// How long nothing is sent before one message tries.
    static let rest: Duration = .seconds(30)

    private struct State {
        var failures: [ContinuousClock.Instant] = []
        /// The time at which it opened last; `nil` if it is closed.
        var openedAt: ContinuousClock.Instant?
        var isProbing = false
    }

    private let state = Mutex(State())
    private let gauge: Gauge

    init(provider: String, channel: String) {
        gauge = Gauge(
            label: "auth_provider_circuit_state", dimensions: [("provider", provider), ("channel", channel)])
        gauge.record(0)
    }

    /// Returns the seconds until a message may be sent, or `nil` if one may be sent now.
    func waitSeconds(now: ContinuousClock.Instant = .now) -> Int64? {
        state.withLock { state in
            guard let openedAt = state.openedAt else { return nil }
            let left = Self.rest - (now - openedAt)
            if left > .zero { return max(1, Int64((left / .seconds(1)).rounded(.up))) }
            return state.isProbing ? 1 : nil
        }
    }

    /// Reserves a try for one message, whose result has to be passed to `note`.
    func begin(now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            guard let openedAt = state.openedAt else { return true }
            guard !state.isProbing, now - openedAt >= Self.rest else { return false }
            state.isProbing = true
            gauge.record(1)
            return true
        }
    }

    /// - Parameter isOutage: whether the provider is unavailable; a message that it refuses is no outage.
    func note(isOutage: Bool, now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            if !isOutage {
                if state.openedAt != nil, !state.isProbing { return }
                state = State()
                return gauge.record(0)
            }
            state.failures = state.failures.filter { now - $0 < Self.window } + [now]
            guard state.isProbing || state.openedAt == nil && state.failures.count >= Self.failuresMax else { return }
            state.openedAt = now
            state.isProbing = false
            gauge.record(2)
        }
    }
}
