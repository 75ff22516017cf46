import GRDB
import Storage
import Synchronization

/// The bounded queue of reads and writes that wait for the writer's next turn, and whether turns are being taken.
final class TurnQueue: Sendable {
    /// A read on the writer's connection.
    typealias QueuedRead = @Sendable (Database) -> Void

    /// The work of one turn, in its order of arrival.
    struct Turn {
        let reads: [QueuedRead]
        /// At most `SQLiteLimits.groupMax`.
        let writes: [QueuedWrite]
    }

    private struct State {
        var reads: [QueuedRead] = []
        var writes: [QueuedWrite] = []
        var isTakingTurns = false
        var pauseEnd = ContinuousClock.now
        var idleWaiters: [CheckedContinuation<Void, Never>] = []

        /// On `startTurns` the caller has to make sure that `next` is called.
        mutating func admit() -> Admission {
            defer { isTakingTurns = true }
            return isTakingTurns ? .queued : .startTurns(notBefore: pauseEnd)
        }

        /// Takes no more turns if nothing waits.
        ///
        /// - Returns: The tasks that have waited for that; `nil` if something waits.
        mutating func rest() -> [CheckedContinuation<Void, Never>]? {
            guard reads.isEmpty, writes.isEmpty else { return nil }
            defer { (isTakingTurns, idleWaiters) = (false, []) }
            return idleWaiters
        }
    }

    private let state = Mutex(State())

    /// The outcome of offering a read or write.
    enum Admission {
        case startTurns(notBefore: ContinuousClock.Instant)
        case queued, full
    }

    func add(_ write: QueuedWrite) -> Admission {
        state.withLock { state in
            guard state.writes.count < StorageLimits.queuedMax else { return .full }
            state.writes.append(write)
            return state.admit()
        }
    }

    func add(_ read: @escaping QueuedRead) -> Admission {
        state.withLock { state in
            guard state.reads.count < StorageLimits.queuedMax else { return .full }
            state.reads.append(read)
            return state.admit()
        }
    }

    /// Returns the next turn. `nil` if nothing waits; the next `add` starts turns again then. Only the taker of turns calls
    /// this.
    func next() -> Turn? {
        let (turn, waiters) = state.withLock { state -> (Turn?, [CheckedContinuation<Void, Never>]) in
            if let waiters = state.rest() { return (nil, waiters) }
            let turn = Turn(reads: state.reads, writes: Array(state.writes.prefix(SQLiteLimits.groupMax)))
            state.reads = []
            state.writes.removeFirst(turn.writes.count)
            return (turn, [])
        }
        for waiter in waiters { waiter.resume() }
        return turn
    }

    /// Delays the next turn until `end`. Only the taker of turns calls this.
    ///
    /// - Returns: Whether something waits for the turn; if not, the next `add` starts turns again.
    func pause(until end: ContinuousClock.Instant) -> Bool {
        let waiters = state.withLock { state in
            state.pauseEnd = end
            return state.rest()
        }
        for waiter in waiters ?? [] { waiter.resume() }
        return waiters == nil
    }

    /// Returns when nothing waits and no turn is being taken.
    func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state -> Bool in
                guard state.isTakingTurns else { return true }
                state.idleWaiters.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }
}
