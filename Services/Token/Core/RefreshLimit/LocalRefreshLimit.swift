import Policies
import ServiceKit
import Synchronization

/// The refresh limit in the memory of one process: a signed-in user is not sent away because Redis is.
final class LocalRefreshLimit: RefreshLimiter {
    /// Users that are counted at once; beyond it those counted longest ago start anew.
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
