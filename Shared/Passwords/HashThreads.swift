import Glibc
import NIOPosix
import Synchronization

/// Threads that hash passwords at the lowest priority (nice 19), with a bounded queue.
///
/// The queue is bounded in number and in time. A request above a bound fails at once, before anything is hashed.
final class HashThreads: Sendable {
    /// Hashes that wait for a thread.
    private static let waitingMax = 64
    /// The work that the threads may have waiting.
    private static let workMax: Duration = .seconds(2)
    /// The lowest priority.
    private static let nice: Int32 = 19

    /// The work of the threads, and how fast they have been.
    struct Load: Sendable {
        let threadCount: Int
        private(set) var pending = 0
        /// The estimated time of what is pending, in seconds.
        private(set) var pendingSeconds = 0.0
        /// Hashes since the start; it wraps.
        private(set) var done = 0
        /// The time that hashes have taken, relative to the estimates.
        private(set) var slowness = 1.0

        init(threadCount: Int) { self.threadCount = threadCount }

        /// Notes one more hash, if it may wait.
        ///
        /// - Parameter seconds: its estimated time.
        mutating func admit(seconds: Double) -> Bool {
            let waiting = pending + 1 - threadCount
            // The running work is counted in part, since the longest of it may have just begun.
            let work =
                (pendingSeconds + seconds) * slowness * Double(waiting)
                / (Double(threadCount) * Double(pending + 1))
            guard waiting <= 0 || waiting <= waitingMax && work <= workMax / .seconds(1) else { return false }
            pending += 1
            pendingSeconds += seconds
            return true
        }

        /// Notes how long a hash has taken, and averages it in with a weight of one eighth.
        mutating func note(seconds taken: Double, estimate: Double) {
            pending -= 1
            pendingSeconds = pending == 0 ? 0 : pendingSeconds - estimate
            done &+= 1
            slowness += (taken / max(estimate, 1e-6) - slowness) / 8
        }
    }

    private let pool: NIOThreadPool
    private let load: Mutex<Load>

    /// - Parameter count: at least one.
    init(count: Int) {
        pool = NIOThreadPool(numberOfThreads: max(count, 1))
        load = Mutex(Load(threadCount: max(count, 1)))
        pool.start()
    }

    /// Hashes since the start.
    var doneCount: Int { load.withLock { $0.done } }

    /// Stops the threads after the work that waits.
    func shutDown() async throws { try await pool.shutdownGracefully() }

    /// Runs `work` on a thread.
    ///
    /// - Parameter seconds: its estimated time.
    /// - Throws: `PasswordHasher.Busy`; what `work` throws.
    func run<Value: Sendable>(
        seconds: Double, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        guard load.withLock({ $0.admit(seconds: seconds) }) else { throw PasswordHasher.Busy() }
        return try await pool.runIfActive { [self] in
            // 0: this thread only, on Linux. The call costs nothing in comparison with a hash.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.nice)
            let start = ContinuousClock.now
            defer {
                let taken = (ContinuousClock.now - start) / .seconds(1)
                load.withLock { $0.note(seconds: taken, estimate: seconds) }
            }
            return try work()
        }
    }
}
