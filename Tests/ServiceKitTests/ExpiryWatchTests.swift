import CoreMetrics
import ServiceKit
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ExpiryWatchTests {
    @Test func `the end of a certificate is shown as long as it is used`() {
        let (watch, registry, logger) = (ExpiryWatch(), MetricsRegistry(), TestLog().logger)
        func shown(_ ends: [String: Int64]) -> [Bool] {
            withMetricsFactory(registry) { watch.look(at: ends, now: 0, logger: logger) }
            let text = registry.prometheusText()
            return ["a", "b"].map { text.contains("tls_certificate_not_after_seconds{name=\"\($0)\"} ") }
        }
        let ends: [String: Int64] = ["a": 100 * 86_400, "b": 200 * 86_400]
        #expect(shown(ends) == [true, true])
        #expect(shown(["b": 200 * 86_400]) == [false, true])
        #expect(shown(ends) == [true, true])
    }

    @Test func `a certificate that ends soon is warned of once a day, and the one that replaces it for itself`() {
        let (watch, log) = (ExpiryWatch(), TestLog())
        let (first, renewed): (Int64, Int64) = (10 * 86_400, 12 * 86_400)
        let looks = [(first, 0), (first, 86_399), (renewed, 86_399), (renewed, 86_400), (renewed, 2 * 86_400)]
        let counts = looks.map { end, seconds in
            watch.look(at: ["a": end], now: Int64(seconds), logger: log.logger)
            return log.lines.count
        }
        #expect(counts == [1, 1, 2, 2, 3])
        #expect(log.lines.allSatisfy { $0.hasPrefix("tls.expiring ") && $0.contains(" name=a ") }, "\(log.lines)")
    }
}
