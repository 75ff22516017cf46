/// How our key set stands towards a token whose `kid` is not in it (security guide R-07; design section 5, *At the edge*).
///
/// A `kid` is the attacker's input, so it may cause a fetch only now and then; what token-service itself says on the
/// revocation stream causes one always. A key signs only after gateways were told of it, so a set that is younger than
/// the last word, heard over a contact that is young, is whole: then, and only then, an unknown `kid` is a 401.
///
/// | standing | at first | at first, 30 s after the last fetch for a `kid` | after one wait |
/// |---|---|---|---|
/// | fresh | 401 | fetch | 401 |
/// | stale | 503 | fetch | 503 |
/// | changed | wait | wait | 503: the fetch has failed |
/// | fetching | wait | wait | as fresh or stale |
enum KeySetStanding: Sendable, Equatable {
    /// Least time between two fetches that unknown `kid`s ask for.
    static let cooldownNanoseconds: UInt64 = 30_000_000_000

    /// Whole: whatever key is not in it does not exist.
    case fresh
    /// It may lack a key: older than its cache lifetime, or we would not hear of a change.
    case stale
    /// It lacks a key since then.
    case changed(at: UInt64)
    /// A fetch that an unknown `kid` has asked for then has not ended.
    case fetching(since: UInt64)

    /// What is known of a set; all times are monotonic nanoseconds.
    struct Times: Sendable, Equatable {
        /// When the fetch of our set was sent.
        var fetchedAt: UInt64
        /// When we last heard that the keys have changed; 0 for never.
        var changedAt: UInt64
        /// When an unknown `kid` last asked for a fetch.
        var askedAt: UInt64?
        /// When the last fetch that has ended, well or badly, was sent; 0 for none.
        var triedAt: UInt64
    }

    /// What is to be done about the token.
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

    /// - Parameters:
    ///   - isWhole: younger than its cache lifetime, and we hear at once of changes.
    ///   - hasWaited: the request has waited for a fetch, and waits for no other.
    init(_ times: Times, isWhole: Bool, hasWaited: Bool) {
        if times.fetchedAt < times.changedAt {
            self = .changed(at: times.changedAt)
        } else if !hasWaited, let askedAt = times.askedAt, times.triedAt < askedAt {
            self = .fetching(since: askedAt)
        } else {
            self = isWhole ? .fresh : .stale
        }
    }

    /// - Parameter mayAsk: no `kid` has asked for a fetch for `cooldownNanoseconds`.
    func verdict(mayAsk: Bool, hasWaited: Bool) -> Verdict {
        switch self {
        case .changed(let time): hasWaited ? .unavailable : .wait(since: time)
        case .fetching(let time): .wait(since: time)
        case .fresh, .stale: mayAsk && !hasWaited ? .fetch : self == .fresh ? .refuse : .unavailable
        }
    }
}
