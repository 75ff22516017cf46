import CoreMetrics
import Policies
import RedisClient

/// Hands out a limit's allowance, so that all gateways together never exceed it.
protocol AllowanceSource: Sendable {
    /// Takes up to `count` requests out of the window's allowance, and of those of the wider blocks around it.
    ///
    /// - Returns: how many are granted, 0 for none; nil when nobody can say now.
    func take(_ count: Int, of key: AllowanceKey, now: Int64) async -> Int?
}

/// The allowance as Redis counts it.
struct RedisAllowance: AllowanceSource {
    private static let function = GatewayFunctions.library.function(GatewayFunctions.allowance)

    let redis: RedisClient
    let memory: RedisMemoryWatch

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
        Counter(label: "auth_limit_fallbacks_total", dimensions: [("limit", "edge")]).increment()
        return nil
    }
}
