package import RedisClient
import ServiceLifecycle

/// Exchanges the rank of the database's newest server with the other replicas, and keeps it in Redis for the time after a restart.
package struct ServerRankWatch: Service {
    /// The pause between two exchanges.
    private static let interval: Duration = .seconds(2)
    private static let member: RedisArgument = "rank"

    private let redis: RedisClient
    private let key: RedisArgument
    private let exchange: @Sendable (Int64?) -> Int64?

    /// - Parameters:
    ///   - key: The sorted set in Redis.
    ///   - exchange: Notes the rank that another process has seen, and returns the highest that this one knows.
    package init(redis: RedisClient, key: String, exchange: @escaping @Sendable (Int64?) -> Int64?) {
        (self.redis, self.key, self.exchange) = (redis, RedisArgument(key), exchange)
    }

    package func run() async throws {
        await repeatUntilShutdown(every: Self.interval) { await look() }
    }

    /// Exchanges the rank now. If that fails, the known rank stays.
    package func look() async {
        // A SQLite file, and a server that is not checked, have no rank.
        guard let known = exchange(nil) else { return }
        do throws(RedisError) {
            let replies = try await redis.pipeline([
                ["ZADD", key, "GT", RedisArgument(known), Self.member], ["ZSCORE", key, Self.member],
            ])
            guard case .success(let reply) = replies.last, let highest = reply.integerValue else { return }
            _ = exchange(highest)
        } catch {
            // The client has logged and counted it.
        }
    }
}
