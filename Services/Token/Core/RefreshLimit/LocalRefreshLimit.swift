import Policies
import ServiceKit
import Synchronization

/// The refresh limit in the memory of one process, so that signed-in users are still served while Redis is away.
final class LocalRefreshLimit: RefreshLimiter {
    /// The greatest number of users that are counted at once. Beyond it those counted longest ago start again.
    static let usersMax = 20_000

    private let times = Mutex(RecentTable<String, [Int64]>(countMax: usersMax))

    func retryAfterSeconds(userID: String, limit: RateLimit, now: Int64) -> Int64? {
        times.withLock { times in
            let counted = (times[userID] ?? []).filter { now - $0 < limit.windowSeconds }
            if let wait = limit.retryAfterSeconds(times: counted, now: now) { return wait }
            times[userID] = counted + [now]
            return nil
        }
    }
}
