internal import Synchronization

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
            guard state.waiting.count < SQLiteLimits.queuedWritesMax else { return .full }
            state.waiting.append(write)
            defer { state.isBeingWorkedOff = true }
            return state.isBeingWorkedOff ? .queued : .startWorkingOff
        }
    }

    /// The next group in order of arrival; nil when there is none, and then the next `add` starts anew.
    func next() -> [QueuedWrite]? {
        let (group, waiters) = state.withLock { state -> ([QueuedWrite]?, [CheckedContinuation<Void, Never>]) in
            guard !state.waiting.isEmpty else {
                state.isBeingWorkedOff = false
                defer { state.idleWaiters = [] }
                return (nil, state.idleWaiters)
            }
            let group = Array(state.waiting.prefix(SQLiteLimits.groupWritesMax))
            state.waiting.removeFirst(group.count)
            return (group, [])
        }
        for waiter in waiters { waiter.resume() }
        return group
    }

    /// Returns when nothing waits and nothing is being written.
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
