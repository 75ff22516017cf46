import CoreMetrics
import Logging
import Policies
import TestSupport
import Testing

@testable import GatewayCore

@Suite struct UntrustedProxyTests {
    private let proxy = IPAddress(ipv4: 0xC000_0201)

    /// The times at which a line was logged, of requests that each announce a client or not.
    private func lines(_ requests: [(IPAddress?, at: Int64)]) -> Int {
        let log = TestLog()
        let watch = UntrustedProxyWatch(logger: log.logger)
        for request in requests { watch.count(request.0) { request.at } }
        return log.lines.count { $0.contains("edge.untrusted_proxy") }
    }

    private func requests(
        _ announced: Int, of total: Int, by address: IPAddress? = nil, at time: Int64 = 0
    ) -> [(IPAddress?, at: Int64)] {
        (0..<total).map { ($0 < announced ? address ?? proxy : nil, at: time) }
    }

    @Test func `90 of 100 requests of one address that announces clients are told, 89 are not`() {
        #expect(lines(requests(90, of: 100)) == 1 && lines(requests(89, of: 100)) == 0)
        #expect(lines(requests(90, of: 99)) == 0 && lines(requests(0, of: 1_000)) == 0)
    }

    @Test func `many addresses that announce clients are no proxy`() {
        let others = (0..<100).map { (IPAddress?.some(IPAddress(ipv4: UInt32($0 % 5))), at: Int64(0)) }
        #expect(lines(others) == 0)
    }

    @Test func `there is one line an hour, with the address`() {
        let day = (0..<10).flatMap { requests(100, of: 100, at: Int64($0) * 600) }
        #expect(lines(day) == 2)
    }
}
