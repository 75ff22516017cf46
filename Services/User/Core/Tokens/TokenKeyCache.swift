import AccessTokens
import CallDeadlines
import InternalAPI
import Logging

/// Keys that token-service or a provider publishes, fetched when needed by one caller for all, kept while they cannot be
/// fetched.
actor TokenKeyCache {
    /// Makes the set of keys that judges tokens; the published ones and what else is known.
    typealias Fetch = @Sendable () async throws -> VerificationKeySet

    /// A key set as a caller gets it.
    struct Keys: Sendable {
        let set: VerificationKeySet
        /// When its fetch began: every key published before is in it.
        let fetchedAt: ContinuousClock.Instant
        /// A key that the set lacks may nevertheless exist.
        var isStale: Bool
    }

    private let rule: TokenKeyRule
    private let clock: @Sendable () -> ContinuousClock.Instant
    private let fetch: Fetch
    private let name: String
    private let logger: Logger
    private var held: (set: VerificationKeySet, fetchedAt: ContinuousClock.Instant)?
    private var attemptedAt: ContinuousClock.Instant?
    private var fetching: Task<Void, Never>?

    /// - Parameter name: the publisher's, for the log.
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

    /// The keys at hand, and whether they are older than they should be; if so, newer ones are being fetched.
    ///
    /// Waits only when there are none.
    /// - Returns: nil when there are none and none can be had.
    func current() async -> Keys? {
        let now = clock()
        let isUsable = age(at: now).map(rule.keySet.isUsable) ?? false
        startIfDue(missesKey: false, now)
        if !isUsable { await fetching?.value }
        return keys(at: clock())
    }

    /// The keys after a fetch that is made because a token names a key that the set lacks; `isStale` if none could be
    /// made that must have brought it.
    func newer() async -> Keys? {
        let askedAt = clock()
        startIfDue(missesKey: true, askedAt)
        await fetching?.value
        guard var keys = keys(at: clock()) else { return nil }
        if keys.fetchedAt < askedAt - rule.pauses.settle { keys.isStale = true }
        return keys
    }

    /// Makes the next call fetch anew: what is made from the published keys has changed.
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
        // In a task of its own, without this call's deadline: it outlives a caller that goes away, because others wait for
        // it too. Its end is bounded by the operation's time limit.
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
