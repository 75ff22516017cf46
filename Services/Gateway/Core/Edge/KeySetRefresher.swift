internal import AccessTokens
internal import FoundationEssentials
internal import InternalAPI
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// Keeps the verification keys up to date: one fetch at a time, the last good set while token-service is down.
final class KeySetRefresher: Service, Sendable {
    /// Least time between two fetches that unknown `kid`s ask for (security guide R-07).
    static let unknownKeyCooldownSeconds: UInt64 = 30
    /// Time between tries while there is no key set yet, or the last fetch failed.
    static let retryDelay: Duration = .milliseconds(100)
    /// The last good set serves for at most this long.
    static let keepSecondsMax: UInt64 = 24 * 3600

    private struct State: Sendable {
        var keySet: KeySet?
        var fetched: JSONWebKeySet?
        var wantsFetch = false
        var lastAskedAt: UInt64?
    }

    private let state = Mutex(State())
    private let token: ServiceClient
    private let makeVerifier: @Sendable (JSONWebKeySet) throws -> AccessTokenVerifier
    private let maxAgeSeconds: Int
    private let logger: Logger

    /// - Parameters:
    ///   - maxAgeSeconds: cache lifetime of the key set; it is fetched anew after half of it.
    ///   - makeVerifier: from the fetched keys, with issuer, audience and local secrets.
    init(
        token: ServiceClient, maxAgeSeconds: Int, logger: Logger,
        makeVerifier: @escaping @Sendable (JSONWebKeySet) throws -> AccessTokenVerifier
    ) {
        self.token = token
        self.maxAgeSeconds = maxAgeSeconds
        self.logger = logger
        self.makeVerifier = makeVerifier
    }

    /// The keys to verify with now; nil before the first fetch and a day after the last.
    func current(now: UInt64) -> KeySet? {
        state.withLock { state in
            guard let keySet = state.keySet,
                now < keySet.fetchedAt &+ Self.keepSecondsMax &* 1_000_000_000
            else { return nil }
            return keySet
        }
    }

    /// Whether tokens can be verified now.
    var isReady: Bool { current(now: MonotonicTime.nanoseconds()) != nil }

    /// The published keys, for `/.well-known/jwks.json`.
    var published: JSONWebKeySet? { state.withLock(\.fetched) }

    /// Asks for a fetch because a token names a key that is not in the set; at most once per cool-down.
    func noteUnknownKey(now: UInt64) {
        state.withLock { state in
            let cooldown = Self.unknownKeyCooldownSeconds &* 1_000_000_000
            guard state.lastAskedAt.map({ now >= $0 &+ cooldown }) ?? true else { return }
            state.lastAskedAt = now
            state.wantsFetch = true
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if self.isFetchDue(now: MonotonicTime.nanoseconds()) { await self.fetch() }
                do { try await Task.sleep(for: Self.retryDelay) } catch { return }
            }
        }
    }

    private func isFetchDue(now: UInt64) -> Bool {
        state.withLock { state in
            guard let keySet = state.keySet else { return true }
            return state.wantsFetch || keySet.isStale(now: now, maxAgeSeconds: maxAgeSeconds / 2)
        }
    }

    private func fetch() async {
        let startedAt = MonotonicTime.nanoseconds()
        do {
            let request = InternalRequest(.get, TokenContract.jwksPath)
            guard case .answer(let keys) = try await token.send(request, as: JSONWebKeySet.self) else { return }
            try install(keys, fetchedAt: startedAt)
        } catch {
            logger.warning("keys.fetch.failed", metadata: ["cause": "\(error)"])
        }
    }

    private func install(_ keys: JSONWebKeySet, fetchedAt: UInt64) throws {
        let previous = state.withLock { ($0.keySet, $0.fetched) }
        let isNew = previous.1 != keys
        let verifier = try isNew ? makeVerifier(keys) : previous.0?.verifier ?? makeVerifier(keys)
        let version = (previous.0?.version ?? 0) + (isNew ? 1 : 0)
        state.withLock { state in
            state.keySet = KeySet(version: version, verifier: verifier, fetchedAt: fetchedAt)
            state.fetched = keys
            state.wantsFetch = false
        }
    }
}
