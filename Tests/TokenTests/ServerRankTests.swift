import Logging
import RedisClient
import ServiceKit
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ServerRankTests {
    @Test func `the highest rank that any process has seen outlives them`() async throws {
        try await withRedisServer { server in
            let redis = RedisClient(.patient(port: server.port), logger: Logger(label: "test"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await redis.run() }
                _ = try await redis.send(["PING"])
                #expect(await known(0, after: redis) == 0)
                let high: Int64 = (1_800_000_000 << 20) + 7
                #expect(await known(high, after: redis) == high)
                #expect(await known(high - 1, after: redis) == high)
                #expect(await known(nil, after: redis) == nil)
                group.cancelAll()
                try await group.waitForAll()
            }
        }
    }

    /// Returns what a process with this rank knows after an exchange.
    private func known(_ rank: Int64?, after redis: RedisClient) async -> Int64? {
        let known = Rank(rank)
        await ServerRankWatch(redis: redis, key: "db:token", exchange: known.exchange).look()
        return known.exchange(nil)
    }

    private final class Rank: Sendable {
        private let rank: Mutex<Int64?>

        init(_ rank: Int64?) { self.rank = Mutex(rank) }

        @Sendable func exchange(_ other: Int64?) -> Int64? {
            rank.withLock { rank in
                if let other, let own = rank { rank = max(own, other) }
                return rank
            }
        }
    }
}
