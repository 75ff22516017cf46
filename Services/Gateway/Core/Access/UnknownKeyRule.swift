/// Decides about a token whose `kid` is not in our key set (security guide R-07; design section 5, *At the edge*).
///
/// A `kid` is the attacker's input, so it may cause a fetch only now and then; what token-service itself says on the
/// revocation stream causes one always. A key signs only after gateways were told of it, so a set that is younger than
/// the last word, heard over a contact that is young, is whole: then, and only then, an unknown `kid` is a 401.
struct UnknownKeyRule: Sendable, Equatable {
    /// Least time between two fetches that unknown `kid`s ask for.
    static let cooldownNanoseconds: UInt64 = 30_000_000_000

    enum Verdict: Sendable, Equatable {
        /// Fetch the keys and look again.
        case fetch
        /// A fetch that is sent at or after this time is due or under way: look again when it has ended.
        case wait(since: UInt64)
        /// There is no such key: 401.
        case refuse
        /// There may be such a key: 503.
        case unavailable
    }

    /// When the fetch of our set was sent; all times are monotonic nanoseconds.
    var fetchedAt: UInt64
    /// When we last heard that the keys have changed; 0 for never.
    var changedAt: UInt64
    /// When an unknown `kid` last asked for a fetch.
    var askedAt: UInt64?
    /// When the last fetch that has ended, well or badly, was sent; 0 for none.
    var triedAt: UInt64
    /// Older than its cache lifetime.
    var isStale: Bool
    /// We hear at once of changes.
    var isInContact: Bool

    /// - Parameter waitedSince: the request has already waited for a fetch that was sent at or after this time.
    func judge(now: UInt64, waitedSince: UInt64?) -> Verdict {
        if let waitedSince {
            // The keys have changed once more meanwhile, and the fetch that follows has not ended.
            if fetchedAt < changedAt, triedAt < changedAt, waitedSince < changedAt { return .wait(since: changedAt) }
        } else {
            if fetchedAt < changedAt { return .wait(since: changedAt) }
            guard let askedAt, now < askedAt &+ Self.cooldownNanoseconds else { return .fetch }
            if triedAt < askedAt { return .wait(since: askedAt) }
        }
        return isStale || !isInContact || fetchedAt < changedAt ? .unavailable : .refuse
    }
}
