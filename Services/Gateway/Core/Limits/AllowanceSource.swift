internal import CoreMetrics
internal import Policies
internal import RedisClient

/// Hands out a limit's allowance, so that all gateways together never exceed it.
protocol AllowanceSource: Sendable {
    /// Takes up to `count` requests out of the window's allowance.
    ///
    /// - Returns: how many are granted, 0 for none; nil when nobody can say now.
    func take(_ count: Int, of key: AllowanceKey, now: Int64) async -> Int?
}

/// The allowance as Redis counts it.
struct RedisAllowance: AllowanceSource {
    /// KEYS: the window's count; ARGV: the limit, how many are wanted, seconds until the window ends.
    private static let script = RedisScript(
        """
        local used = tonumber(redis.call('GET', KEYS[1]) or '0')
        local granted = math.min(tonumber(ARGV[2]), tonumber(ARGV[1]) - used)
        if granted <= 0 then return 0 end
        redis.call('INCRBY', KEYS[1], granted)
        redis.call('EXPIRE', KEYS[1], ARGV[3])
        return granted
        """)

    let redis: RedisClient
    let memory: RedisMemoryWatch

    func take(_ count: Int, of key: AllowanceKey, now: Int64) async -> Int? {
        guard redis.isConnected, !memory.isNearlyFull else { return unanswered() }
        do throws(RedisError) {
            let reply = try await redis.evaluate(
                Self.script, keys: [key.redisKey],
                arguments: [
                    RedisArgument(key.rate.max), RedisArgument(count), RedisArgument(key.secondsLeft(now: now)),
                ])
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
