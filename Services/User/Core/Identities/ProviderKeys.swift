import AccessTokens
import CoreMetrics
import Logging
import Policies
import ServiceCalls

/// A provider's published keys, which are fetched from one fixed URL and kept while the provider is unavailable.
struct ProviderKeys: Sendable {
    /// The most bytes of a key set.
    static let bytesMax = 64 * 1024
    /// How long one fetch may take.
    static let fetchLimit: Duration = .seconds(2)
    /// The age in seconds from half of which on a key set is fetched again.
    private static let ageSecondsMax: Int64 = 7_200

    /// There is no key set, or the key set may lack a newer key.
    struct Unavailable: Error {
        static let retryAfterSeconds: Int64 = 2

        let provider: String
    }

    private let provider: String
    private let cache: TokenKeyCache<ForeignKeySet>
    private let clock: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - url: the URL of the provider's published keys.
    ///   - exchange: follows no redirect and reads no more than `bytesMax` bytes.
    init(
        _ provider: IdentityProviderPolicy, _ algorithm: SignatureAlgorithm, url: String,
        exchange: any ProviderExchange, logger: Logger,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.provider = provider.name
        self.clock = clock
        cache = TokenKeyCache(
            rule: TokenKeyRule(keySet: KeySetRule(ageMaxSeconds: Self.ageSecondsMax), pauses: .provider), clock: clock,
            name: provider.name, logger: logger
        ) {
            try await Self.fetch(provider.name, algorithm, url, exchange)
        }
    }

    /// Judges a token with the provider's key for it. If the provider may have published another key since, the keys are fetched
    /// again before the token is refused.
    ///
    /// - Parameters:
    ///   - keyID: the token's `kid`, or `nil` if it has none.
    ///   - judge: judges the token with a key, or with `nil` if the provider has none for it.
    /// - Throws: `Unavailable` while the provider's keys are unknown, and the errors of `judge`.
    func judging<Verdict>(
        _ keyID: String?, _ judge: (VerificationKey?) throws(IdentityTokenRejection) -> Verdict
    ) async throws -> Verdict {
        let askedAt = clock()
        guard let known = await cache.current() else { throw Unavailable(provider: provider) }
        switch known.set.match(keyID) {
        case .named(let key): return try judge(key)
        case .several: return try judge(nil)
        case .only(let key):
            // Without a `kid`, only the signature shows that the provider has another key.
            do throws(IdentityTokenRejection) { return try judge(key) } catch {
                guard error == .badSignature else { throw error }
            }
        case .unknown: break
        }
        guard let newer = await cache.newer(since: askedAt) else { throw Unavailable(provider: provider) }
        do throws(IdentityTokenRejection) { return try judge(newer.set.match(keyID).key) } catch {
            guard newer.isStale, error == .unknownKey || error == .badSignature else { throw error }
            throw Unavailable(provider: provider)
        }
    }

    private static func fetch(
        _ provider: String, _ algorithm: SignatureAlgorithm, _ url: String, _ exchange: any ProviderExchange
    ) async throws -> ForeignKeySet {
        let request = ProviderRequest(.get, url: url, headers: ["Accept": "application/json"], body: [])
        do {
            let answer = try await exchange.send(request, within: fetchLimit)
            guard answer.status == 200 else { throw FetchFailure(cause: "status \(answer.status)") }
            return try ForeignKeySet(answer.body, for: algorithm, bytesMax: bytesMax)
        } catch {
            IdentityProviderErrors.count(error, of: provider)
            Counter(
                label: "auth_provider_errors_total", dimensions: [("provider", provider), ("code", "keys")]
            ).increment()
            throw error
        }
    }

    private struct FetchFailure: Error, CustomStringConvertible {
        let cause: String

        var description: String { cause }
    }
}
