internal import AccessTokens
internal import InternalAPI
internal import Logging

/// token-service's published keys, fetched when needed by one caller for all, kept while token-service is away.
actor TokenKeyCache {
    /// Makes the set of keys that judges tokens; the published ones and what else is known.
    typealias Fetch = @Sendable () async throws -> VerificationKeySet

    private let rule: TokenKeyRule
    private let clock: @Sendable () -> ContinuousClock.Instant
    private let fetch: Fetch
    private let logger: Logger
    private var keys: (set: VerificationKeySet, fetchedAt: ContinuousClock.Instant)?
    private var attemptedAt: ContinuousClock.Instant?
    private var fetching: Task<Void, Never>?

    /// - Parameter ageMax: `signing.jwksMaxAgeSeconds` of the policy.
    init(
        ageMax: Duration, clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, logger: Logger,
        fetch: @escaping Fetch
    ) {
        rule = TokenKeyRule(ageMax: ageMax)
        self.clock = clock
        self.logger = logger
        self.fetch = fetch
    }

    /// The keys at hand, brought up to date if that is due, and whether they are older than they should be.
    ///
    /// - Parameter missesKey: a token names a key that the set does not have.
    /// - Returns: nil when there are none and none can be had.
    func current(missesKey: Bool = false) async -> (set: VerificationKeySet, isStale: Bool)? {
        let now = clock()
        if let fetching {
            // A fetch under way delays only those whom the keys at hand do not help.
            if keys == nil || missesKey { await fetching.value }
        } else if rule.shallFetch(
            age: age(at: now), sinceAttempt: attemptedAt.map { now - $0 }, missesKey: missesKey)
        {
            await refresh()
        }
        return keys.map { ($0.set, rule.isStale(age: age(at: clock()))) }
    }

    private func age(at now: ContinuousClock.Instant) -> Duration? { keys.map { now - $0.fetchedAt } }

    /// Fetches in a task of its own: it outlives a caller that goes away, because others wait for it too. Its end is
    /// bounded by the transport's time limit.
    private func refresh() async {
        attemptedAt = clock()
        let task = Task { await load() }
        fetching = task
        await task.value
    }

    private func load() async {
        defer { fetching = nil }
        let startedAt = clock()
        do {
            keys = (try await fetch(), startedAt)
        } catch {
            logger.warning("token_keys.fetch_failed", metadata: ["cause": "\(error)"])
        }
    }
}
