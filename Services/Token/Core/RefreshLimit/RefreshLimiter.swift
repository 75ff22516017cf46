import Policies

/// Counts a user's refreshes before anything is spent.
protocol RefreshLimiter: Sendable {
    /// Counts one refresh.
    /// - Returns: nil when it fits, else the seconds after which another one does.
    func retryAfterSeconds(userID: String, limit: RateLimit, now: Int64) async -> Int64?
}
