import CryptoPrimitives
import GatewayCore
import Glibc
import InternalAPI

/// The cost of a gateway's copy of the revocations: time for each request, and memory.
package enum ReplicaCost {
    package static let entryCount = 100_000
    package static let boundMicroseconds = 1.0
    package static let boundMegabytes = 20.0
    private static let tokenCount = 4096
    private static let askCount = 1_000_000
    private static let entriesPerTurn = 1000
    private static let contact: UInt64 = 1_000_000_000

    /// - Parameter rounds: of the time; the memory is taken once.
    package static func measure(rounds: Int) throws -> [Figure] {
        let empty = try microseconds(RevocationReplica(), rounds)
        let before = try ProcessMemory(of: getpid()).anonymous
        let replica = filled()
        let memory = try ProcessMemory(of: getpid()).anonymous - before
        let full = try microseconds(replica, rounds)
        return [
            Figure("revocation.replica.empty", empty, .microseconds),
            Figure("revocation.replica.full", full, .microseconds, bound: .atMost(boundMicroseconds)),
            Figure("revocation.replica.memory", memory, .megabytes, bound: .atMost(boundMegabytes)),
        ]
    }

    private static func filled() -> RevocationReplica {
        let replica = RevocationReplica()
        for turn in 0..<entryCount / entriesPerTurn {
            let entries = (0..<entriesPerTurn).map { number in
                Revocation(
                    subject: .session(sid()), reason: .logout,
                    until: Int64(2_000_000_000 + turn * entriesPerTurn + number))
            }
            replica.advance(entries, sentAt: contact)
        }
        return replica
    }

    private static func sid() -> String { Hex.encode(SecureRandom.bytes(12)) }

    /// CPU of one question about a token that lives.
    private static func microseconds(_ replica: RevocationReplica, _ rounds: Int) throws -> Spread {
        replica.advance([], sentAt: contact)
        let tokens = (0..<tokenCount).map { _ in
            TokenIdentity(
                userID: "usr_1", sessionID: sid(), keyID: "k1", version: 1, role: "user", acceptedUntil: 2_000_000_000)
        }
        var values: [Double] = []
        for _ in 0..<rounds {
            let start = Machine.ownMicroseconds
            var live = 0
            for number in 0..<askCount
            where replica.answer(for: tokens[number % tokenCount], now: contact + 1) == .live { live += 1 }
            values.append((Machine.ownMicroseconds - start) / Double(askCount))
            guard live == askCount else { throw UnexpectedReply(description: "a live token was refused") }
        }
        guard let spread = Spread(values) else { throw UnexpectedReply(description: "no round") }
        return spread
    }
}
