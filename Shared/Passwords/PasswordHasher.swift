import CryptoPrimitives
package import Policies

/// Makes and checks hashes on threads of its own, with a bounded queue (`HashThreads`).
package final class PasswordHasher: Sendable {
    /// There is too much to do: try again later.
    package struct Busy: Error, Sendable { package init() {} }

    /// A check that takes longer than this many hashes of ours leaves the common threads.
    private static let commonHashesMax = 4.0

    package let cost: PasswordCost
    /// The memory for a hash that fills more than one of this cost, in KiB.
    private let memoryKiBMax: Int
    private let threads: HashThreads
    /// Checks that fill more memory or take more time than ours, one at a time. Ours do not wait for them.
    private let slowThread = HashThreads(count: 1)

    /// - Parameters:
    ///   - cost: the cost of new hashes; others are checked at their own.
    ///   - threadCount: each thread fills the memory of one hash.
    ///   - memoryKiBMax: the memory for a hash of another system, or for one of ours that fills more than `cost`.
    package init(cost: PasswordCost, threadCount: Int, memoryKiBMax: Int = ForeignHash.memoryKiBMax) {
        self.cost = cost
        self.memoryKiBMax = memoryKiBMax
        threads = HashThreads(count: threadCount)
    }

    /// The memory that a hash of another system may fill, in KiB.
    package var foreignMemoryKiBMax: Int { min(memoryKiBMax, ForeignHash.memoryKiBMax) }

    /// The number of hashes made or compared since the start.
    package var hashCount: Int { threads.doneCount &+ slowThread.doneCount }

    /// Stops the threads after the work that waits.
    package func shutDown() async throws {
        try await threads.shutDown()
        try await slowThread.shutDown()
    }

    /// A hash with a new salt.
    ///
    /// - Throws: `Busy`; `Argon2`'s failure.
    package func hash(_ password: PasswordText) async throws -> PasswordHash {
        let (salt, cost) = (SecureRandom.bytes(PasswordHash.saltBytes), cost)
        return try await threads.run(seconds: Argon2(cost).seconds) {
            let tag = try Argon2(cost).tag(of: password.bytes, salt: salt, byteCount: PasswordHash.tagBytes)
            return PasswordHash(cost: cost, salt: salt, tag: tag)
        }
    }

    /// Whether the hash is of this password. Without a hash, or with one that there is no memory for, the check takes as long as
    /// one of ours and fails, so that its time reveals nothing.
    ///
    /// - Throws: `Busy`; the library's failure.
    package func verifies(_ password: PasswordText, against hash: StoredHash?) async throws -> Bool {
        let hash = hash.flatMap { $0.memoryKiB <= max(cost.memoryKiB, memoryKiBMax) ? $0 : nil }
        let known = hash ?? .own(missing)
        let threads = isCommon(known, password) ? threads : slowThread
        let isRight = try await threads.run(seconds: known.seconds(for: password)) { try known.matches(password) }
        return isRight && hash != nil
    }

    /// Whether a check runs on the common threads.
    func isCommon(_ hash: StoredHash, _ password: PasswordText) -> Bool {
        // However many spellings a password has, a check of ours stays common.
        let secondsMax = max(Self.commonHashesMax * Argon2(cost).seconds, missing.seconds(for: password))
        return hash.memoryKiB <= cost.memoryKiB && hash.seconds(for: password) <= secondsMax
    }

    /// The hash of a missing account: it costs as much as the others, and is of no password.
    private var missing: PasswordHash {
        PasswordHash(
            cost: cost, salt: [UInt8](repeating: 0, count: PasswordHash.saltBytes),
            tag: [UInt8](repeating: 0, count: PasswordHash.tagBytes))
    }
}
