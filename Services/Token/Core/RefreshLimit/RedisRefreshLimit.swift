import CoreMetrics
import CryptoPrimitives
import Policies
import RedisClient

/// The refresh limit, counted in Redis for all replicas; while Redis is away or nearly full each process counts
/// for itself.
struct RedisRefreshLimit: RefreshLimiter {
    /// The times of a user's last refreshes, newest first. KEYS: the list; ARGV: number, window in ms. Answers 0, or the
    /// milliseconds until another refresh fits.
    private static let script = RedisScript(
        """
        local time = redis.call('TIME')
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        local max, window = tonumber(ARGV[1]), tonumber(ARGV[2])
        local oldest = redis.call('LINDEX', KEYS[1], max - 1)
        if oldest and oldest + window > now then return math.min(oldest + window - now, window) end
        if redis.call('LPUSH', KEYS[1], now) > max then redis.call('LTRIM', KEYS[1], 0, max - 1) end
        redis.call('PEXPIRE', KEYS[1], window)
        return 0
        """)

    let redis: RedisClient
    let memory: RedisMemoryWatch
    let local: LocalRefreshLimit

    /// Names no user: Redis' append-only file keeps keys for long after they are gone.
    private static func key(_ userID: String) -> String {
        "rl:refresh:\(Hex.encode(SHA256.hash(Array("latchkey:refresh-limit:\(userID)".utf8)).prefix(16)))"
    }

    func retryAfterSeconds(userID: String, limit: RateLimit, now: Int64) async -> Int64? {
        guard redis.isConnected, !memory.isNearlyFull else {
            return local.retryAfterSeconds(userID: userID, limit: limit, now: now)
        }
        do {
            let reply = try await redis.evaluate(
                Self.script, keys: [Self.key(userID)],
                arguments: [RedisArgument(limit.max), RedisArgument(limit.windowSeconds * 1000)])
            guard let milliseconds = reply.integerValue else { return nil }
            return milliseconds > 0 ? (milliseconds + 999) / 1000 : nil
        } catch {
            Counter(label: "auth_limit_fallbacks_total", dimensions: [("limit", "refresh")]).increment()
            return local.retryAfterSeconds(userID: userID, limit: limit, now: now)
        }
    }
}
