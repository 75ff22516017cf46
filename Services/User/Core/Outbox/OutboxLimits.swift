/// Bounds of the outbox's work.
enum OutboxLimits {
    /// Rows of one round; with three seconds for each call a round ends before its lease.
    static let batchMax = 8
    /// How long a replica that falls silent in a round keeps the others waiting.
    static let leaseSeconds: Int64 = 30
    /// Pause between two looks at the table.
    static let pollInterval: Duration = .seconds(1)
    /// The request that wrote a row tells its receiver itself; only after this does the worker take over.
    static let ownAttemptSeconds: Int64 = 5
    /// Longest pause between two attempts.
    static let backoffSecondsMax: Int64 = 15

    /// Pause after the `attempts`-th failure: 1 s, doubled each time.
    static func backoffSeconds(attempts: Int64) -> Int64 {
        attempts < 1 ? 1 : min(backoffSecondsMax, 1 << min(attempts - 1, 4))
    }
}
