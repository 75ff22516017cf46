import CoreMetrics
import Policies
import RedisClient

/// Grants requests from a limit's allowance, so that all gateways together never exceed it.
protocol AllowanceSource: Sendable {
    /// Takes up to `count` requests from the window's allowance, and from those of the wider blocks around it.
    ///
    /// - Returns: the number of requests granted, which may be 0; `nil` if the allowance cannot be read now.
    func take(_ count: Int, of key: AllowanceKey, now: Int64) async -> Int?
}

/// The allowance as Redis counts it.
struct RedisAllowance: AllowanceSource {
    private static let function = GatewayFunctions.library.function(GatewayFunctions.allowance)

    private let redis: RedisClient
    private let memory: RedisMemoryWatch
    private let fallbacks = Counter(label: "auth_limit_fallbacks_total", dimensions: [("limit", "edge")])

    init(redis: RedisClient, memory: RedisMemoryWatch) { (self.redis, self.memory) = (redis, memory) }

    func take(_ count: Int, of key: AllowanceKey, now: Int64) async -> Int? {
        guard redis.isConnected, !memory.isNearlyFull else { return unanswered() }
        let keys = [key] + key.wider
        do throws(RedisError) {
            let reply = try await redis.call(
                Self.function, keys: keys.map(\.redisKey),
                arguments: [RedisArgument(count), RedisArgument(key.secondsLeft(now: now))]
                    + keys.map { RedisArgument($0.rate.max) })
            return reply.integerValue.map { Int(clamping: $0) }
        } catch {
            return unanswered()
        }
    }

    private func unanswered() -> Int? {
        fallbacks.increment()
        return nil
    }
}
