/// Bounds of the outbox's work.
package enum OutboxLimits {
    /// Rows of one round; with three seconds for each call a round ends before its lease. Mails go out side by side, since
    /// each takes as long as its provider does.
    static let batchMax = 8
    /// Batches about one user that a request delivers while its caller waits; what is left after them is the worker's.
    static let ownBatchesMax = 4
    /// How long a replica that falls silent in a round keeps the others waiting.
    static let leaseSeconds: Int64 = 30
    /// Pause between two looks at the table.
    static let pollInterval: Duration = .seconds(1)
    /// The request that wrote a row tells its receiver itself; only after this does the worker take over.
    static let ownAttemptSeconds: Int64 = 5
    /// After this a mail says nothing new to anybody: it is dead, until the operator has it tried again.
    static let mailLifetimeSeconds: Int64 = 86_400
    /// A dead mail goes so long after it was written, or last tried again by the operator: he has a week to look at it.
    package static let deadMailKeptSeconds: Int64 = mailLifetimeSeconds + 7 * 86_400
    /// Rows of one answer to the operator.
    static let listedMax = 500

    /// When a row is to be tried again after its `attempts`-th failure; nil: never by itself.
    ///
    /// Pauses begin with a second and double, to 15 seconds between our own services, which must agree, and to an hour for
    /// mail.
    static func nextAttempt(_ lane: OutboxMessage.Lane, attempts: Int64, createdAt: Int64, now: Int64) -> Int64? {
        guard lane == .mail else { return now + backoffSeconds(attempts, max: 15) }
        let next = now + backoffSeconds(attempts, max: 3_600)
        return next - createdAt < mailLifetimeSeconds ? next : nil
    }

    private static func backoffSeconds(_ attempts: Int64, max: Int64) -> Int64 {
        attempts < 1 ? 1 : min(max, 1 << min(attempts - 1, 12))
    }
}
