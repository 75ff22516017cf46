/// Bounds of the outbox's work.
package enum OutboxLimits {
    /// Rows of one round; with three seconds for each call a round ends before its lease.
    static let batchMax = 8
    /// Mails on their way at a time: their number grows with each that goes out, and is halved by each that does not, so
    /// that a slow provider keeps room for sign-in mails.
    static let mailsAtOnce = 8...32
    /// Batches about one user that a request delivers while its caller waits; what is left after them is the worker's.
    static let ownBatchesMax = 4
    /// How long a replica that falls silent in a round keeps the others waiting.
    static let leaseSeconds: Int64 = 30
    /// Pause between two looks at the table.
    static let pollInterval: Duration = .seconds(1)
    /// The request that wrote a row tells its receiver itself; only after this does the worker take over.
    static let ownAttemptSeconds: Int64 = 5
    /// A mail that waited so long is dropped: one with a link is removed, any other is dead until the operator has it tried
    /// again.
    static let mailLifetimeSeconds = AccountLink.mailWaitSecondsMax
    /// Age of the oldest mail, in seconds, from which on the log alarms.
    static let mailLateSeconds: Int64 = 60
    /// A dead mail is removed so long after it was written, or last tried again by the operator, who has a week to look at it.
    package static let deadMailKeptSeconds: Int64 = mailLifetimeSeconds + 7 * 86_400
    /// Rows of one answer to the operator.
    static let listedMax = 500

    /// When a row is to be tried again after its `attempts`-th failure; `nil`: not automatically.
    ///
    /// Pauses begin with a second and double, to 15 seconds between our own services, which must agree, and to five minutes
    /// for mail.
    static func nextAttempt(_ lane: OutboxMessage.Lane, attempts: Int64, createdAt: Int64, now: Int64) -> Int64? {
        guard lane == .mail else { return now + backoffSeconds(attempts, max: 15) }
        let next = now + backoffSeconds(attempts, max: 300)
        return next - createdAt < mailLifetimeSeconds ? next : nil
    }

    /// How many mails may be on their way at a time, after one of them went out or not.
    static func mailPlaces(after places: Int, isSent: Bool) -> Int {
        isSent
            ? min(mailsAtOnce.upperBound, places + 1) : max(mailsAtOnce.lowerBound, places / 2)
    }

    /// Whether a row waited for so long that it is not sent any more.
    static func isOverdue(_ item: OutboxItem, now: Int64) -> Bool {
        item.message.kind.lane == .mail && now - item.createdAt >= mailLifetimeSeconds
    }

    private static func backoffSeconds(_ attempts: Int64, max: Int64) -> Int64 {
        attempts < 1 ? 1 : min(max, 1 << min(attempts - 1, 12))
    }
}
