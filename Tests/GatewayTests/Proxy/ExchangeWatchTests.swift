import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import EdgeHTTP

/// Which failures of an exchange count against the address of its upstream.
@Suite struct ExchangeWatchTests {
    /// Returns whether the failure of an exchange counts.
    private func counts(_ failure: UpstreamFailure, isComplete: Bool) async throws -> Bool {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let endpoint = try #require(UpstreamEndpoint(url: "http://127.0.0.1:1"))
        let group = UpstreamGroup(name: "app", endpoints: [endpoint], logger: TestLog().logger)
        let target = try #require(group.targets.first)
        let records = group.records(of: target.address)
        try await loop.submit {
            let pool = UpstreamPool(group: group, eventLoop: loop, flushQueue: FlushQueue(eventLoop: loop))
            let replica = Replica(target: target, limits: group.limits, records: records)
            var watch = ExchangeWatch(pool, replica)
            watch.requestDidBegin(isComplete: isComplete, mayStaySilent: false)
            #expect(replica.waitingCount == (isComplete ? 1 : 0))
            watch.didFail(failure)
            watch.didRelease()
            #expect(replica.waitingCount == 0)
        }.get()
        return records.health.isInTrouble
    }

    @Test(
        arguments: [
            (.closedBeforeAnswer, true, true), (.brokenAnswer, true, true), (.malformedAnswer, true, true),
            // A server may refuse a body by closing.
            (.closedBeforeAnswer, false, false), (.brokenAnswer, false, false),
            (.malformedAnswer, false, true),
        ] as [(UpstreamFailure, Bool, Bool)])
    func `a reset counts if the request was complete, and an unreadable response always`(
        failure: UpstreamFailure, isComplete: Bool, counts: Bool
    ) async throws {
        #expect(try await self.counts(failure, isComplete: isComplete) == counts)
    }
}
