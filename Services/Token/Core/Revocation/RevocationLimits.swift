/// The bounds of publishing revocations.
enum RevocationLimits {
    /// The number of rows of a removed user's sessions that one transaction deletes: well below a millisecond of the writer's time.
    static let removedRowsMax = 64
    /// The number of revocations that one script call writes.
    static let batchMax = 128
    /// The interval in which unpublished revocations and Redis' mark are checked. After Redis loses its data, gateways respond with
    /// 503 for up to this long.
    static let interval: Duration = .milliseconds(100)
    /// The longest pause between two attempts to connect to Redis.
    static let reconnectDelayMax: Duration = .milliseconds(100)
    /// The interval after a check that failed.
    static let retryInterval: Duration = .milliseconds(50)
}
