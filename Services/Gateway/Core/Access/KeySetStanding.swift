/// How up to date the key set is when a token's `kid` is not in it (security guide R-07; design section 5, *At the edge*).
///
/// A `kid` is the attacker's input, so it may cause a fetch only now and then. A change that token-service announces on the
/// revocation stream always causes one. A key signs only after the gateways were told of it. So a set is whole if it is younger
/// than the last announcement and contact with the stream is recent. Only then is an unknown `kid` a 401.
///
/// | standing | at first | at first, 30 s after the last fetch for a `kid` | after one wait |
/// |---|---|---|---|
/// | fresh | 401 | fetch | 401 |
/// | stale | 503 | fetch | 503 |
/// | changed | wait | wait | 503: the fetch has failed |
/// | fetching | wait | wait | as fresh or stale |
enum KeySetStanding: Sendable, Equatable {
    /// The least time between two fetches that unknown `kid`s cause.
    static let cooldownNanoseconds: UInt64 = 30_000_000_000

    /// The set is whole: a key that is not in it does not exist.
    case fresh
    /// The set may lack a key: it is older than its cache lifetime, or the gateway would not hear of a change.
    case stale
    /// The set has lacked a key since this time.
    case changed(at: UInt64)
    /// A fetch that an unknown `kid` caused at this time has not ended.
    case fetching(since: UInt64)

    /// The times that are known of a set, in monotonic nanoseconds.
    struct Times: Sendable, Equatable {
        /// The time at which the fetch of the current set was sent.
        var fetchedAt: UInt64
        /// The time at which the gateway last heard that the keys have changed; 0 if never.
        var changedAt: UInt64
        /// The time at which an unknown `kid` last caused a fetch.
        var askedAt: UInt64?
        /// The time at which the last fetch that has succeeded or failed was sent; 0 if none was.
        var triedAt: UInt64
    }

    /// The decision about a token with an unknown `kid`.
    enum Verdict: Sendable, Equatable {
        /// The keys are fetched, and the token is checked again.
        case fetch
        /// A fetch that is sent at or after this time is due or under way. The token is checked again when it has ended.
        case wait(since: UInt64)
        /// The key does not exist: 401.
        case refuse
        /// The key may exist: 503.
        case unavailable
    }

    /// - Parameters:
    ///   - isWhole: whether the set is younger than its cache lifetime and changes are heard at once.
    ///   - hasWaited: whether the request has waited for a fetch, after which it waits for no other.
    init(_ times: Times, isWhole: Bool, hasWaited: Bool) {
        if times.fetchedAt < times.changedAt {
            self = .changed(at: times.changedAt)
        } else if !hasWaited, let askedAt = times.askedAt, times.triedAt < askedAt {
            self = .fetching(since: askedAt)
        } else {
            self = isWhole ? .fresh : .stale
        }
    }

    /// - Parameter mayAsk: whether no `kid` has caused a fetch for `cooldownNanoseconds`.
    func verdict(mayAsk: Bool, hasWaited: Bool) -> Verdict {
        switch self {
        case .changed(let time): hasWaited ? .unavailable : .wait(since: time)
        case .fetching(let time): .wait(since: time)
        case .fresh, .stale: mayAsk && !hasWaited ? .fetch : self == .fresh ? .refuse : .unavailable
        }
    }
}
