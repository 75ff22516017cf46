import CryptoPrimitives
import Glibc
import NIOPosix
package import Policies
import Synchronization

/// Makes and checks hashes on threads of its own, beside which everything else goes first (nice 19).
///
/// What waits is limited, in number and in time: whoever comes above it is told at once, before anything is hashed.
package final class PasswordHasher: Sendable {
    /// Hashes that wait for a thread.
    private static let waitingMax = 64
    /// Of them, what the threads have work for.
    private static let workMax: Duration = .seconds(2)
    /// Lower priority than this there is none.
    private static let nice: Int32 = 19

    /// There is too much to do: try again later.
    package struct Busy: Error, Sendable { package init() {} }

    /// What the threads have before them, and how fast they have been.
    struct Load: Sendable {
        let threadCount: Int
        var pending = 0
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
            seconds = seconds == 0 ? taken : seconds + (taken - seconds) / 8
        }
    }

    package let cost: PasswordCost
    private let threads: NIOThreadPool
    private let load: Mutex<Load>
    /// Held while a hash is checked that fills more memory than ours.
    private let large = Mutex(())

    /// - Parameters:
    ///   - cost: of the hashes that are made; others are checked at their own.
    ///   - threadCount: each fills the memory of one hash.
    package init(cost: PasswordCost, threadCount: Int) {
        self.cost = cost
        threads = NIOThreadPool(numberOfThreads: max(threadCount, 1))
        load = Mutex(Load(threadCount: max(threadCount, 1)))
        threads.start()
    }

    /// Ends the threads once they have done what waits.
    package func shutDown() async throws { try await threads.shutdownGracefully() }

    /// A hash with a new salt.
    ///
    /// - Throws: `Busy`; `Argon2id`'s failure.
    package func hash(_ password: PasswordText) async throws -> PasswordHash {
        let (salt, cost) = (SecureRandom.bytes(PasswordHash.saltBytes), cost)
        return try await onThread {
            PasswordHash(cost: cost, salt: salt, tag: try Argon2id.tag(of: password.bytes, salt: salt, cost: cost))
        }
    }

    /// Whether the hash is this password's. Without a hash it works as long and says no, so that its time tells nothing.
    ///
    /// - Throws: `Busy`; `Argon2id`'s failure.
    package func verifies(_ password: PasswordText, against hash: StoredHash?) async throws -> Bool {
        switch hash {
        case nil:
            _ = try await verifies(password, against: nobodys)
            return false
        case .own(let own): return try await verifies(password, against: own)
        case .foreign(let foreign): return try await verifies(password, against: foreign)
        }
    }

    private func verifies(_ password: PasswordText, against own: PasswordHash) async throws -> Bool {
        let tag = try await onThread {
            try Argon2id.tag(of: password.bytes, salt: own.salt, cost: own.cost)
        }
        return constantTimeEqual(tag, own.tag)
    }

    private func verifies(_ password: PasswordText, against foreign: ForeignHash) async throws -> Bool {
        try await onThread { [self] in
            // The memory of the threads is counted for hashes of ours: of those that fill more there is one at a time.
            guard foreign.memoryKiB > cost.memoryKiB else { return foreign.matches(password) }
            return large.withLock { _ in foreign.matches(password) }
        }
    }

    /// Costs as much as the others, and is no password's.
    private var nobodys: PasswordHash {
        PasswordHash(
            cost: cost, salt: [UInt8](repeating: 0, count: PasswordHash.saltBytes),
            tag: [UInt8](repeating: 0, count: PasswordHash.tagBytes))
    }

    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let isTaken = load.withLock { load in
            guard load.takes() else { return false }
            load.pending += 1
            return true
        }
        guard isTaken else { throw Busy() }
        return try await threads.runIfActive { [self] in
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
