import CryptoPrimitives
package import Policies

/// Makes and checks hashes on threads of its own, of which what waits is limited (`HashThreads`).
package final class PasswordHasher: Sendable {
    /// There is too much to do: try again later.
    package struct Busy: Error, Sendable { package init() {} }

    package let cost: PasswordCost
    /// KiB that there are for a hash which fills more than one of this cost.
    private let memoryKiBMax: Int
    private let threads: HashThreads
    /// For hashes that fill more memory than ours: one at a time, and ours do not wait for them.
    private let largeThread = HashThreads(count: 1)

    /// - Parameters:
    ///   - cost: of the hashes that are made; others are checked at their own.
    ///   - threadCount: each fills the memory of one hash.
    ///   - memoryKiBMax: what there is for a hash of another system, or of ours that fills more than `cost`.
    package init(cost: PasswordCost, threadCount: Int, memoryKiBMax: Int = ForeignHash.memoryKiBMax) {
        self.cost = cost
        self.memoryKiBMax = memoryKiBMax
        threads = HashThreads(count: threadCount)
    }

    /// KiB that a hash of another system may fill.
    package var foreignMemoryKiBMax: Int { min(memoryKiBMax, ForeignHash.memoryKiBMax) }

    /// Hashes that were made or compared since the start.
    package var hashCount: Int { threads.doneCount &+ largeThread.doneCount }

    /// Ends the threads once they have done what waits.
    package func shutDown() async throws {
        try await threads.shutDown()
        try await largeThread.shutDown()
    }

    /// A hash with a new salt.
    ///
    /// - Throws: `Busy`; `Argon2`'s failure.
    package func hash(_ password: PasswordText) async throws -> PasswordHash {
        let (salt, cost) = (SecureRandom.bytes(PasswordHash.saltBytes), cost)
        return try await threads.run {
            let tag = try Argon2(cost).tag(of: password.bytes, salt: salt, byteCount: PasswordHash.tagBytes)
            return PasswordHash(cost: cost, salt: salt, tag: tag)
        }
    }

    /// Whether the hash is this password's. Without a hash that it has the memory for, it works as long as for one of ours and
    /// says no, so that its time tells nothing.
    ///
    /// - Throws: `Busy`; the library's failure.
    package func verifies(_ password: PasswordText, against hash: StoredHash?) async throws -> Bool {
        let hash = hash.flatMap { $0.memoryKiB <= max(cost.memoryKiB, memoryKiBMax) ? $0 : nil }
        let known = hash ?? .own(nobodys)
        let threads = known.memoryKiB > cost.memoryKiB ? largeThread : threads
        let isRight = try await threads.run { try known.matches(password) }
        return isRight && hash != nil
    }

    /// Costs as much as the others, and is no password's.
    private var nobodys: PasswordHash {
        PasswordHash(
            cost: cost, salt: [UInt8](repeating: 0, count: PasswordHash.saltBytes),
            tag: [UInt8](repeating: 0, count: PasswordHash.tagBytes))
    }
}
