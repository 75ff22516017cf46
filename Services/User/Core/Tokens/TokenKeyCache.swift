import AccessTokens
import CallDeadlines
import InternalAPI
import Logging

/// A cache of the keys that token-service or a provider publishes. One caller fetches them for all, and the keys are kept while
/// they cannot be fetched.
actor TokenKeyCache<KeySet: Sendable> {
    /// Fetches the published keys and adds those that are known otherwise.
    typealias Fetch = @Sendable () async throws -> KeySet

    /// A key set, as returned to a caller.
    struct Keys: Sendable {
        let set: KeySet
        /// The time at which its fetch began. The set contains every key that was published before.
        let fetchedAt: ContinuousClock.Instant
        /// Whether a key that the set lacks may exist.
        var isStale: Bool
    }

    private let rule: TokenKeyRule
    private let clock: @Sendable () -> ContinuousClock.Instant
    private let fetch: Fetch
    private let name: String
    private let logger: Logger
    private var held: (set: KeySet, fetchedAt: ContinuousClock.Instant)?
    private var attemptedAt: ContinuousClock.Instant?
    private var fetching: Task<Void, Never>?

    /// - Parameter name: the publisher's name, for the log.
    init(
        rule: TokenKeyRule, clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, name: String = "token",
        logger: Logger, fetch: @escaping Fetch
    ) {
        self.rule = rule
        self.clock = clock
        self.name = name
        self.logger = logger
        self.fetch = fetch
    }

    /// Returns the cached keys, and whether they are stale. If they are due, newer ones are being fetched.
    ///
    /// Waits only if there are no usable keys.
    /// - Returns: the keys, or `nil` if there are none and none can be fetched.
    func current() async -> Keys? {
        let now = clock()
        let isUsable = age(at: now).map(rule.keySet.isUsable) ?? false
        startIfDue(missesKey: false, now)
        if !isUsable { await fetching?.value }
        return keys(at: clock())
    }

    /// Fetches keys because the set lacks the key of a token. The result is `isStale` if no fetch was possible that would contain
    /// the key.
    ///
    /// - Parameter askedAt: when the token was presented; `nil` for now.
    func newer(since askedAt: ContinuousClock.Instant? = nil) async -> Keys? {
        let now = clock()
        startIfDue(missesKey: true, now)
        await fetching?.value
        guard var keys = keys(at: clock()) else { return nil }
        if keys.fetchedAt < (askedAt ?? now) - rule.pauses.settle { keys.isStale = true }
        return keys
    }

    /// Makes the next call fetch the keys, because the secrets that are added to the published keys have changed.
    func expire() { attemptedAt = nil }

    private func keys(at now: ContinuousClock.Instant) -> Keys? {
        guard let held, let age = age(at: now), rule.keySet.isUsable(age: age) else { return nil }
        return Keys(set: held.set, fetchedAt: held.fetchedAt, isStale: rule.keySet.isStale(age: age))
    }

    private func startIfDue(missesKey: Bool, _ now: ContinuousClock.Instant) {
        guard fetching == nil,
            rule.shallFetch(age: age(at: now), sinceAttempt: attemptedAt.map { now - $0 }, missesKey: missesKey)
        else { return }
        attemptedAt = now
        // The fetch runs in its own task, without this call's deadline, since other callers wait for it too. The operation's time
        // limit applies to it.
        fetching = CallDeadline.$current.withValue(nil) { Task { await load() } }
    }

    private func age(at now: ContinuousClock.Instant) -> Duration? { held.map { now - $0.fetchedAt } }

    private func load() async {
        defer { fetching = nil }
        let startedAt = clock()
        do {
            held = (try await fetch(), startedAt)
        } catch {
            logger.warning("token_keys.fetch_failed", metadata: ["publisher": "\(name)", "cause": "\(error)"])
        }
    }
}
