import AccessTokens
import CryptoPrimitives
import EdgeHTTP
import FoundationEssentials
import InternalAPI
import Logging
import NIOCore
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Keeps the verification keys up to date. It sends one fetch at a time, and keeps the last good set while token-service is down.
final class KeySetRefresher: Service, Sendable {
    /// Makes the verifier of published keys and local secrets, with issuer and audience.
    typealias MakeVerifier = @Sendable (JSONWebKeySet, KeyRing?) throws -> AccessTokenVerifier

    /// The time between two checks whether a fetch is due, and so between two tries while token-service is down.
    static let lookInterval: Duration = .milliseconds(100)
    /// How long a request waits for a fetch.
    static let waitMax: TimeAmount = .seconds(2)

    private struct State: Sendable {
        var keySet: KeySet?
        var fetched: JSONWebKeySet?
        var secrets: KeyRing?
        var wantsFetch = false
        var changedAt: UInt64 = 0
        var askedAt: UInt64?
        var triedAt: UInt64 = 0
        /// Why the last try failed.
        var failure: String?
        var waiters = FetchWaiters()
    }

    private let state: Mutex<State>
    private let token: ServiceClient
    private let makeVerifier: MakeVerifier
    private let rule: KeySetRule
    private let logger: Logger
    private let (looks, look) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameter secrets: the keys of `jwt_hs256`; `nil` if no profile signs with them.
    init(
        token: ServiceClient, secrets: KeyRing?, rule: KeySetRule, logger: Logger,
        makeVerifier: @escaping MakeVerifier
    ) {
        state = Mutex(State(secrets: secrets))
        self.token = token
        self.rule = rule
        self.logger = logger
        self.makeVerifier = makeVerifier
    }

    /// Returns the keys to verify with now; `nil` before the first fetch and a day after the last.
    func current(now: UInt64) -> KeySet? {
        state.withLock { state in
            state.keySet.flatMap { rule.isUsable(age: $0.age(now: now)) ? $0 : nil }
        }
    }

    /// Whether tokens can be verified now.
    var isReady: Bool { current(now: MonotonicTime.nanoseconds()) != nil }

    /// Returns why tokens cannot be verified now, as a line for the operator; `nil` if they can.
    var problem: String? { isReady ? nil : state.withLock { $0.failure ?? "" } }

    /// Returns the published keys, for `/.well-known/jwks.json`, and the age of this copy.
    func published(now: UInt64) -> (keys: JSONWebKeySet, ageSeconds: Int)? {
        state.withLock { state in
            guard let keys = state.fetched, let keySet = state.keySet else { return nil }
            return (keys, Int(clamping: keySet.age(now: now).components.seconds))
        }
    }

    /// Decides what to do about a token whose key is not in the set, and starts a fetch if one is to be made.
    ///
    /// - Parameters:
    ///   - isInContact: whether `noteChange` is called at once when the keys change.
    ///   - hasWaited: whether the request has waited for the end of a fetch.
    func judgeUnknownKey(now: UInt64, isInContact: Bool, hasWaited: Bool) -> KeySetStanding.Verdict {
        let verdict = state.withLock { state -> KeySetStanding.Verdict in
            guard let keySet = state.keySet else { return .unavailable }
            let standing = KeySetStanding(
                .init(
                    fetchedAt: keySet.fetchedAt, changedAt: state.changedAt, askedAt: state.askedAt,
                    triedAt: state.triedAt),
                isWhole: isInContact && !rule.isStale(age: keySet.age(now: now)), hasWaited: hasWaited)
            let mayAsk = state.askedAt.map { now >= $0 &+ KeySetStanding.cooldownNanoseconds } ?? true
            let verdict = standing.verdict(mayAsk: mayAsk, hasWaited: hasWaited)
            guard verdict == .fetch else { return verdict }
            state.askedAt = now
            state.wantsFetch = true
            return .wait(since: now)
        }
        if case .wait = verdict { look.yield() }
        return verdict
    }

    /// Notes that token-service has announced a change of the keys, or may have announced one that the gateway missed.
    func noteChange(now: UInt64) {
        state.withLock { state in
            state.changedAt = max(state.changedAt, now)
            state.waiters.waitFurther(until: now)
        }
        look.yield()
    }

    /// Completes when a fetch has succeeded or failed that was sent at or after `since` and after all changes that are announced
    /// meanwhile, and at the latest after `waitMax`.
    func fetchEnded(since: UInt64, on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let promise = eventLoop.makePromise(of: Void.self)
        let number = state.withLock { $0.waiters.add(since: since, promise) }
        guard let number else {
            promise.succeed()
            return promise.futureResult
        }
        let timeout = eventLoop.scheduleTask(in: Self.waitMax) { [self] in
            state.withLock { $0.waiters.take(number) }?.succeed()
        }
        promise.futureResult.whenComplete { _ in timeout.cancel() }
        return promise.futureResult
    }

    /// Replaces the secrets by those of a new file. If they are the same, tokens that were verified stay so.
    ///
    /// - Throws: an error that states what is wrong with the new secrets; the old ones stay in use.
    func replaceSecrets(_ secrets: KeyRing) throws {
        try state.withLock { state in
            guard state.secrets?.hasSameKeys(as: secrets) != true else { return }
            if let fetched = state.fetched, let keySet = state.keySet {
                state.keySet = KeySet(
                    version: keySet.version + 1, verifier: try makeVerifier(fetched, secrets),
                    fetchedAt: keySet.fetchedAt)
            }
            state.secrets = secrets
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { await self.lookAgainAndAgain() }
                for await _ in self.looks {
                    if self.consumeFetchRequest(now: MonotonicTime.nanoseconds()) { await self.fetch() }
                }
                group.cancelAll()
            }
        }
    }

    private func lookAgainAndAgain() async {
        while !Task.isCancelled {
            look.yield()
            do { try await pause(for: Self.lookInterval) } catch { return }
        }
    }

    private func consumeFetchRequest(now: UInt64) -> Bool {
        state.withLock { state in
            guard let keySet = state.keySet else { return true }
            defer { state.wantsFetch = false }
            return state.wantsFetch || keySet.fetchedAt < state.changedAt
                || rule.isDue(age: keySet.age(now: now))
        }
    }

    private func fetch() async {
        let sentAt = MonotonicTime.nanoseconds()
        var failure: String?
        do {
            let keys = try await token.call(TokenOperations.keySet, requestID: nil).answer
            try install(keys, fetchedAt: sentAt)
        } catch {
            failure = "\(error)"
            logger.warning("keys.fetch.failed", metadata: ["cause": "\(error)"])
        }
        let served = state.withLock { [failure] state in
            state.triedAt = sentAt
            state.failure = failure
            return state.waiters.take(sentAt: sentAt)
        }
        for promise in served { promise.succeed() }
    }

    /// Runs under the lock, so that no request uses a set that is being replaced. It takes well below a millisecond, and is rare.
    private func install(_ keys: JSONWebKeySet, fetchedAt: UInt64) throws {
        try state.withLock { state in
            let isNew = state.fetched != keys
            if !isNew, let known = state.keySet {
                state.keySet = KeySet(version: known.version, verifier: known.verifier, fetchedAt: fetchedAt)
            } else {
                state.keySet = KeySet(
                    version: (state.keySet?.version ?? 0) + 1, verifier: try makeVerifier(keys, state.secrets),
                    fetchedAt: fetchedAt)
                state.fetched = keys
            }
        }
    }
}
