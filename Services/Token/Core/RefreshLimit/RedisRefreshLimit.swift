import CoreMetrics
import CryptoPrimitives
import Policies
import RedisClient

/// The refresh limit, counted in Redis for all replicas; while Redis is away or nearly full each process counts
/// for itself.
struct RedisRefreshLimit: RefreshLimiter {
    let redis: RedisClient
    let memory: RedisMemoryWatch
    let local: LocalRefreshLimit

    /// Returns the key of a user's count. It does not reveal the user, because Redis' append-only file keeps keys long after they
    /// are gone.
    private static func key(_ userID: String) -> String {
        "rl:refresh:\(Hex.encode(SHA256.hash(Array("latchkey:refresh-limit:\(userID)".utf8)).prefix(16)))"
    }

    func retryAfterSeconds(userID: String, limit: RateLimit, now: Int64) async -> Int64? {
        guard redis.isConnected, !memory.isNearlyFull else {
            return local.retryAfterSeconds(userID: userID, limit: limit, now: now)
        }
        do {
            let reply = try await redis.call(
                TokenFunctions.refreshLimit, keys: [Self.key(userID)],
                arguments: [RedisArgument(limit.max), RedisArgument(limit.windowSeconds * 1000)])
            guard let milliseconds = reply.integerValue else { return nil }
            return milliseconds > 0 ? (milliseconds + 999) / 1000 : nil
        } catch {
            Counter(label: "auth_limit_fallbacks_total", dimensions: [("limit", "refresh")]).increment()
            return local.retryAfterSeconds(userID: userID, limit: limit, now: now)
        }
    }
}
