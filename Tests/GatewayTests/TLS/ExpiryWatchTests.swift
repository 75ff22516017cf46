import CoreMetrics
import ServiceKit
import TLSPairs
import TestSupport
import Testing

@testable import GatewayCore

@Suite(.serialized, .timeLimit(.minutes(5))) struct ExpiryWatchTests {
    @Test func `the end of a pair is shown as long as the pair is served`() async throws {
        let pairs = try await EdgeCertificates.pairs([("a", ["a.example"]), ("b", ["b.example"])])
        let (watch, registry, logger) = (ExpiryWatch(), MetricsRegistry(), TestLog().logger)
        func shown(_ pairs: [TLSPair]) -> [Bool] {
            withMetricsFactory(registry) { watch.look(at: pairs, now: pairs[0].notBefore, logger: logger) }
            let text = registry.prometheusText()
            return ["a", "b"].map { text.contains("tls_certificate_not_after_seconds{name=\"\($0)\"} ") }
        }
        #expect(shown(pairs) == [true, true])
        #expect(shown([pairs[1]]) == [false, true])
        #expect(shown(pairs) == [true, true])
    }

    @Test func `a certificate that ends soon is warned of once a day, and the one that replaces it for itself`()
        async throws
    {
        try await EdgeCertificates.withFolder { folder in
            let authority = try await TestAuthority.make(in: folder)
            func pair(days: Int) async throws -> TLSPair {
                try EdgeCertificates.pair(
                    "a", of: try await authority.issue("a", .init(lifetimeSeconds: days * 86_400)))
            }
            let (first, renewed) = (try await pair(days: 10), try await pair(days: 12))
            let (watch, log) = (ExpiryWatch(), TestLog())
            let now = first.notBefore + 3_700
            let looks = [(first, 0), (first, 86_399), (renewed, 86_399), (renewed, 86_400), (renewed, 2 * 86_400)]
            let counts = looks.map { pair, seconds in
                watch.look(at: [pair], now: now + Int64(seconds), logger: log.logger)
                return log.lines.count
            }
            #expect(counts == [1, 1, 2, 2, 3])
            #expect(log.lines.allSatisfy { $0.hasPrefix("tls.expiring ") && $0.contains(" name=a ") }, "\(log.lines)")
        }
    }
}
