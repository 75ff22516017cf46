import Synchronization

/// Whether a process may post to the hook now.
package final class HookState: Sendable {
    private struct State {
        var isStopped = false
        /// The number of posts in a row that got no response.
        var unreachable = 0
        var pause = EventLimits.pollInterval
        var resumesAt: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether the receiver wants no more events. It does until the process starts again, or the operator replays events.
    package var isStopped: Bool { state.withLock(\.isStopped) }

    /// Whether posts may begin: the hook was not stopped, and does not pause because it cannot be reached.
    func isOpen(at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { !$0.isStopped && $0.resumesAt.map { $0 <= now } ?? true }
    }

    /// Lets posts begin again at once.
    package func resume() { state.withLock { $0 = State() } }

    /// Notes the outcome of a post. After several in a row without a response, the hook pauses: each pause is twice as long.
    func note(_ verdict: EventVerdict, at now: ContinuousClock.Instant = .now) {
        state.withLock { state in
            switch verdict {
            case .gone: state.isStopped = true
            case .delivered, .failed: state = State(isStopped: state.isStopped)
            case .unreachable:
                state.unreachable += 1
                guard state.unreachable >= EventLimits.unreachableMax, state.resumesAt.map({ $0 <= now }) ?? true
                else { return }
                state.resumesAt = now + state.pause
                state.pause = min(EventLimits.pauseMax, state.pause * 2)
            }
        }
    }
}
