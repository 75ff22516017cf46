import TLSPairs
import TestSupport
import Testing

@testable import GatewayCore

@Suite struct RenewalRuleTests {
    @Test func `a certificate is renewed at two thirds of its lifetime, a few hundredths later at most`() {
        let (begin, day) = (Int64(1_700_000_000), Int64(86_400))
        func renewal(_ lifetime: Int64, _ jitter: Int64) -> Int64 {
            RenewalRule(hosts: [], jitter: jitter).renewal(notBefore: begin, notAfter: begin + lifetime) - begin
        }
        #expect(renewal(90 * day, 0) == 60 * day)
        #expect(renewal(90 * day, RenewalRule.jitterRange.upperBound) == 60 * day + 90 * day / 50)
        #expect(renewal(6 * day, 0) == 4 * day && renewal(0, 20) == 0 && renewal(-day, 20) == 0)
    }

    @Test func `one that does not cover all hosts, or is not there, is ordered now`() async throws {
        let pair = try #require(try await EdgeCertificates.pairs([("acme", ["a.example", "b.example"])]).first)
        func isDue(_ hosts: [String], _ pair: TLSPair?, now: Int64) -> Bool {
            RenewalRule(hosts: hosts, jitter: 0).isDue(pair, now: now)
        }
        let middle = pair.notBefore + (pair.notAfter - pair.notBefore) / 2
        #expect(!isDue(["a.example", "b.example"], pair, now: middle))
        #expect(isDue(["a.example", "c.example"], pair, now: middle))
        #expect(isDue(["a.example"], nil, now: middle) && isDue(["a.example"], pair, now: pair.notAfter))
    }

    @Test func `after failures it waits an hour, doubled up to a day, and never for a clock that was set back`() throws
    {
        var failures: OrderFailures?
        let delays = (1...8).map { _ in
            let next = OrderFailures(after: failures, now: 1_000_000)
            failures = next
            return next.delaySeconds / 3_600
        }
        #expect(delays == [1, 2, 4, 8, 16, 24, 24, 24])
        let first = OrderFailures(after: nil, now: 1_000_000)
        #expect(first.holdsBack(now: 1_000_000) && first.holdsBack(now: 1_003_599) && !first.holdsBack(now: 1_003_600))
        #expect(!first.holdsBack(now: 900_000))
        #expect(OrderFailures(text: first.text) == first)
        for text in ["", "1", "0 5", "-1 5", "1 5 6", "1 99999999999999999999", "x y", "1001 5", "1 -1"] {
            #expect(OrderFailures(text: text) == nil, "\(text)")
        }
    }
}
