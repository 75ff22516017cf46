import Synchronization

/// The writes that wait for their group, and whether somebody is working them off; bounded.
final class WriteQueue: Sendable {
    private struct State {
        var waiting: [QueuedWrite] = []
        var isBeingWorkedOff = false
        var idleWaiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// What became of a write that was offered.
    enum Admission { case startWorkingOff, queued, full }

    /// Queues `write`; with `startWorkingOff` the caller has to see to it that `next` is called.
    func add(_ write: QueuedWrite) -> Admission {
        state.withLock { state in
            guard state.waiting.count < SQLiteLimits.queuedMax else { return .full }
            state.waiting.append(write)
            defer { state.isBeingWorkedOff = true }
            return state.isBeingWorkedOff ? .queued : .startWorkingOff
        }
    }

    /// The next group in order of arrival; nil when there is none, and then the next `add` starts anew.
    func next() -> [QueuedWrite]? {
        guard !isDone() else { return nil }
        return state.withLock { state in
            let group = Array(state.waiting.prefix(SQLiteLimits.groupMax))
            state.waiting.removeFirst(group.count)
            return group
        }
    }

    /// Whether nothing waits; then the next `add` starts anew. For the one who works off.
    private func isDone() -> Bool {
        let (isDone, waiters) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
            guard state.waiting.isEmpty else { return (false, []) }
            state.isBeingWorkedOff = false
            defer { state.idleWaiters = [] }
            return (true, state.idleWaiters)
        }
        for waiter in waiters { waiter.resume() }
        return isDone
    }

    /// Returns when nothing waits and nothing is being worked off.
    func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state -> Bool in
                guard state.isBeingWorkedOff else { return true }
                state.idleWaiters.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }
}
