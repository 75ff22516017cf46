import CryptoPrimitives
import GatewayCore
import Glibc
import InternalAPI

/// The cost of a gateway's copy of the revocations: time for each request, and memory.
enum ReplicaCost {
    static let entryCount = 100_000
    private static let boundMicroseconds = 1.0
    private static let boundMegabytes = 20.0
    private static let tokenCount = 4096
    private static let askCount = 1_000_000
    private static let entriesPerTurn = 1000
    private static let contact: UInt64 = 1_000_000_000

    /// - Parameter rounds: of the time; the memory is taken once.
    static func measure(rounds: Int) throws -> [Figure] {
        let empty = try microseconds(RevocationReplica(), rounds)
        let before = try ProcessMemory.megabytes("RssAnon", of: getpid())
        let replica = RevocationReplica()
        for turn in 0..<entryCount / entriesPerTurn {
            let entries = (0..<entriesPerTurn).map { number in
                Revocation(
                    subject: .session(sid()), reason: .logout,
                    until: Int64(2_000_000_000 + turn * entriesPerTurn + number))
            }
            replica.advance(entries, sentAt: contact)
        }
        let memory = try ProcessMemory.megabytes("RssAnon", of: getpid()) - before
        let full = try microseconds(replica, rounds)
        return [
            Figure("revocation.replica.empty", rounds: empty, .microseconds),
            Figure("revocation.replica.full", rounds: full, .microseconds, bound: .atMost(boundMicroseconds)),
            Figure("revocation.replica.memory", memory, .megabytes, bound: .atMost(boundMegabytes)),
        ]
    }

    private static func sid() -> String { Hex.encode(SecureRandom.bytes(12)) }

    /// CPU of one question about a token that is valid.
    private static func microseconds(_ replica: RevocationReplica, _ rounds: Int) throws -> [Double] {
        replica.advance([], sentAt: contact)
        let tokens = (0..<tokenCount).map { _ in
            TokenIdentity(
                userID: "usr_1", sessionID: sid(), keyID: "k1", version: 1, role: "user", acceptedUntil: 2_000_000_000)
        }
        return try (0..<rounds).map { _ in
            let start = Machine.ownMicroseconds
            var live = 0
            for number in 0..<askCount
            where replica.answer(for: tokens[number % tokenCount], now: contact + 1) == .live { live += 1 }
            guard live == askCount else { throw UnexpectedReply(description: "a valid token was refused") }
            return (Machine.ownMicroseconds - start) / Double(askCount)
        }
    }
}
