/// The limits of the delivery of events.
package enum EventLimits {
    /// How many seconds an event is tried: three days.
    package static let triedSeconds: Int64 = 3 * 86_400
    /// The fewest attempts at an event, which may have waited for so long that its first one comes after `triedSeconds`.
    static let attemptsMin: Int64 = 10
    /// The longest pause between two attempts, in seconds.
    static let backoffSecondsMax: Int64 = 300
    /// How many seconds an attempt is ahead at most. One that is further ahead is from before the clock was set back, and due.
    static let waitSecondsMax: Int64 = 600
    /// How many seconds an event waits at most, for a hook that stopped or cannot be reached, before it is given up: 30 days.
    static let waitingSecondsMax: Int64 = 30 * 86_400
    /// How many days an event that was given up is kept at least.
    static let undeliveredDays = 30
    /// How many events are given up at once because they have waited for too long.
    static let givenUpMax = 1_000
    /// The time within which the receiver has to respond.
    static let postLimit: Duration = .seconds(5)
    /// The time after which a chain of a user's events begins no further post, so that its results are stored.
    static let chainLimit: Duration = .seconds(5)
    /// The largest response that is read.
    static let answerBytesMax = 64 * 1_024
    /// How many users' events are posted at a time.
    package static let placesMax = 16
    /// The most events that one query claims.
    static let batchMax = 256
    /// How many posts in a row may fail without a response before the whole hook pauses.
    static let unreachableMax = 4
    /// The pause between two queries of the queue, which is also the first pause of a hook that cannot be reached.
    static let pollInterval: Duration = .seconds(1)
    /// The longest pause of a hook that cannot be reached.
    static let pauseMax: Duration = .seconds(30)
    /// The pause between two counts of the queue.
    static let countInterval: Duration = .seconds(10)
    /// How many seconds the other replicas wait for one that stops responding.
    static let leaseSeconds: Int64 = 30
    /// How many users' events one transaction of a replay queues again.
    static let replayedMax = 100
    /// How many of these transactions one call makes.
    static let replaysMax = 20

    /// The pause in seconds after a number of failed attempts: one second, doubled with each, up to five minutes.
    static func backoffSeconds(afterAttempts attempts: Int64) -> Int64 {
        min(backoffSecondsMax, 1 << max(0, min(attempts - 1, 12)))
    }
}
