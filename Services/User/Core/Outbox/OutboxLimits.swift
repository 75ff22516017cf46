/// The limits of the outbox.
package enum OutboxLimits {
    /// The most rows of one round. With three seconds for each call, a round is over before its lease expires.
    static let batchMax = 8
    /// How many messages may be sent to a provider at a time. The number grows with each message that is sent and is halved by
    /// each that fails, so that a slow provider of mail keeps room for sign-in mails.
    static let sentAtOnce = 8...32
    /// The most batches about one user that a request delivers while its caller waits; the worker delivers further ones.
    static let ownBatchesMax = 4
    /// How many seconds the other replicas wait for one that stops responding in a round.
    static let leaseSeconds: Int64 = 30
    /// The pause between two queries of the table.
    static let pollInterval: Duration = .seconds(1)
    /// How many seconds the worker leaves a row to the request that wrote it, which delivers it at once.
    static let ownAttemptSeconds: Int64 = 5
    /// How many seconds a mail waits before it is dropped. A mail with a link is removed then; any other is dead until the
    /// operator has it tried again.
    static let mailLifetimeSeconds = AccountLink.mailWaitSecondsMax
    /// How many seconds an authorization code of Apple's is tried, which is as long as it is valid.
    static let codeLifetimeSeconds: Int64 = 300
    /// The pauses between attempts to store a token for which Apple's code was used up. They fit into a lease.
    static let keepPauses: [Duration] = [.seconds(1), .seconds(2), .seconds(4)]
    /// How many seconds a revocation at Apple is tried. After that, it waits for the operator and raises an alarm.
    static let revocationLifetimeSeconds: Int64 = 7 * 86_400
    /// The age of the oldest mail in seconds above which the log reports an error.
    static let mailLateSeconds: Int64 = 60
    /// How many seconds a dead mail is kept after it was written, or last tried again by the operator, who has a week for this.
    package static let deadMailKeptSeconds: Int64 = mailLifetimeSeconds + 7 * 86_400
    /// How many seconds a dead revocation at Apple is kept, counted in the same way.
    package static let deadRevocationKeptSeconds: Int64 = revocationLifetimeSeconds + 7 * 86_400
    /// The most rows of one response to the operator.
    static let listedMax = 500

    /// How many seconds an attempt is ahead at most. One that is further ahead is from before the clock was set back, and due.
    package static let waitSecondsMax: Int64 = 600

    /// The Unix time of the next attempt after a row's `attempts`-th failure, or `nil` if it is not retried automatically.
    ///
    /// Pauses begin with a second and double, up to 15 seconds between Latchkey's services, which must agree, and for codes, which
    /// expire. Pauses of other messages to providers grow up to five minutes.
    static func nextAttempt(_ kind: OutboxMessage.Kind, attempts: Int64, createdAt: Int64, now: Int64) -> Int64? {
        let isPatient = kind.lane.isProviders && kind != .exchangeCode
        let next = now + backoffSeconds(attempts, max: isPatient ? 300 : 15)
        return lifetimeSeconds(kind).map { next - createdAt < $0 } ?? true ? next : nil
    }

    /// How many messages may be sent to a provider at a time, after one of them was sent or failed.
    static func places(after places: Int, isSent: Bool) -> Int {
        isSent
            ? min(sentAtOnce.upperBound, places + 1) : max(sentAtOnce.lowerBound, places / 2)
    }

    /// Whether a row has waited so long that it is not sent any more.
    static func isOverdue(_ item: OutboxItem, now: Int64) -> Bool {
        lifetimeSeconds(item.message.kind).map { now - item.createdAt >= $0 } ?? false
    }

    /// How many seconds a message is retried, or `nil` if it is retried until its receiver confirms it.
    private static func lifetimeSeconds(_ kind: OutboxMessage.Kind) -> Int64? {
        switch kind {
        case .notice: mailLifetimeSeconds
        case .exchangeCode: codeLifetimeSeconds
        case .revokeToken: revocationLifetimeSeconds
        case .revokeUser, .changeRights, .removeUser, .forgetNetworks: nil
        }
    }

    private static func backoffSeconds(_ attempts: Int64, max: Int64) -> Int64 {
        attempts < 1 ? 1 : min(max, 1 << min(attempts - 1, 12))
    }
}
