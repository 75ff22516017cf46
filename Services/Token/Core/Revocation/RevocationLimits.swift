/// Bounds of publishing revocations.
enum RevocationLimits {
    /// Rows of a removed user's sessions that one transaction takes away: well below a millisecond of the writer's time.
    static let removedRowsMax = 64
    /// Revocations that one script call writes.
    static let batchMax = 128
    /// How often we look for what is unpublished and at Redis' mark. After Redis loses its data, gateways answer 503 for up
    /// to this long.
    static let interval: Duration = .milliseconds(100)
    /// The longest pause between two attempts to reach Redis again.
    static let reconnectDelayMax: Duration = .milliseconds(100)
    /// The same as the interval, after a look that failed.
    static let retryInterval: Duration = .milliseconds(50)
}
