import Glibc
import NIOPosix
import Synchronization

/// Threads that hash, beside which everything else goes first (nice 19), and what waits for them.
///
/// What waits is limited, in number and in time: whoever comes above it is told at once, before anything is hashed.
final class HashThreads: Sendable {
    /// Hashes that wait for a thread.
    private static let waitingMax = 64
    /// Of them, what the threads have work for.
    private static let workMax: Duration = .seconds(2)
    /// Lower priority than this there is none.
    private static let nice: Int32 = 19

    /// What the threads have before them, and how fast they have been.
    struct Load: Sendable {
        let threadCount: Int
        var pending = 0
        /// Since the start; it wraps.
        var done = 0
        /// Of one hash, as the last ones were.
        var seconds = 0.0

        /// Whether one more may wait.
        func takes(_ more: Int = 1) -> Bool {
            let waiting = pending + more - threadCount
            guard waiting > 0 else { return true }
            let work = Double(waiting) * seconds / Double(threadCount)
            return waiting <= waitingMax && work <= workMax / .seconds(1)
        }

        /// Notes how long a hash has taken: an eighth of what is known is its part.
        mutating func note(seconds taken: Double) {
            pending -= 1
            done &+= 1
            seconds = seconds == 0 ? taken : seconds + (taken - seconds) / 8
        }
    }

    private let pool: NIOThreadPool
    private let load: Mutex<Load>

    /// - Parameter count: one at least.
    init(count: Int) {
        pool = NIOThreadPool(numberOfThreads: max(count, 1))
        load = Mutex(Load(threadCount: max(count, 1)))
        pool.start()
    }

    /// Hashes that were done since the start.
    var doneCount: Int { load.withLock { $0.done } }

    /// Ends the threads once they have done what waits.
    func shutDown() async throws { try await pool.shutdownGracefully() }

    /// - Throws: `PasswordHasher.Busy`; what `work` throws.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let isTaken = load.withLock { load in
            guard load.takes() else { return false }
            load.pending += 1
            return true
        }
        guard isTaken else { throw PasswordHasher.Busy() }
        return try await pool.runIfActive { [self] in
            // 0: of this thread alone, on Linux. It costs nothing beside a hash.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.nice)
            let start = ContinuousClock.now
            defer {
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                load.withLock { $0.note(seconds: seconds) }
            }
            return try work()
        }
    }
}
