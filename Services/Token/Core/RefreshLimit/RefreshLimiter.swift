import Policies

/// Counts a user's refreshes before any token is used.
protocol RefreshLimiter: Sendable {
    /// Counts one refresh.
    /// - Returns: `nil` if it fits, otherwise the seconds after which another one does.
    func retryAfterSeconds(userID: String, limit: RateLimit, now: Int64) async -> Int64?
}
