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
    private let cache: TokenKeyCache

    /// - Parameters:
    ///   - url: the URL of the provider's published keys.
    ///   - exchange: follows no redirect and reads no more than `bytesMax` bytes.
    init(
        _ provider: IdentityProviderPolicy, _ algorithm: SignatureAlgorithm, url: String,
        exchange: any ProviderExchange, logger: Logger,
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.provider = provider.name
        cache = TokenKeyCache(
            rule: TokenKeyRule(keySet: KeySetRule(ageMaxSeconds: Self.ageSecondsMax), pauses: .provider), clock: clock,
            name: provider.name, logger: logger
        ) {
            try await Self.fetch(provider.name, algorithm, url, exchange)
        }
    }

    /// Returns the key with an id, or `nil` if the provider has no such key.
    ///
    /// - Throws: `Unavailable` while it is unknown whether the provider has the key.
    func key(_ id: String) async throws(Unavailable) -> VerificationKey? {
        guard let known = await cache.current() else { throw Unavailable(provider: provider) }
        if let key = known.set[id] { return key }
        guard let newer = await cache.newer() else { throw Unavailable(provider: provider) }
        if let key = newer.set[id] { return key }
        guard !newer.isStale else { throw Unavailable(provider: provider) }
        return nil
    }

    private static func fetch(
        _ provider: String, _ algorithm: SignatureAlgorithm, _ url: String, _ exchange: any ProviderExchange
    ) async throws -> VerificationKeySet {
        let request = ProviderRequest(.get, url: url, headers: ["Accept": "application/json"], body: [])
        do {
            let answer = try await exchange.send(request, within: fetchLimit)
            guard answer.status == 200 else { throw FetchFailure(cause: "status \(answer.status)") }
            return try VerificationKeySet(foreign: answer.body, for: algorithm, bytesMax: bytesMax)
        } catch {
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
