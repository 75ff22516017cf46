import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import EdgeHTTP

/// Which failures of an exchange count against the address of its upstream.
@Suite struct ExchangeWatchTests {
    private static func head(_ text: String) throws -> ResponseHead {
        var parser = ResponseHeadParser(limits: .init(bytesMax: 1024, fieldsMax: 8))
        var buffer = ByteBuffer(string: text)
        return try #require(try parser.next(from: &buffer, isHEAD: false, maySwitch: true))
    }

    /// Returns whether an address is in trouble after exchanges on one connection.
    private func isInTrouble(
        after exchange: @escaping @Sendable (inout ExchangeWatch, Replica) throws -> Void
    ) async throws -> Bool {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let endpoint = try #require(UpstreamEndpoint(url: "http://127.0.0.1:1"))
        let group = UpstreamGroup(name: "app", endpoints: [endpoint], logger: TestLog().logger)
        let target = try #require(group.targets.first)
        let records = group.records(of: target.address)
        try await loop.submit {
            let pool = UpstreamPool(group: group, eventLoop: loop, flushQueue: FlushQueue(eventLoop: loop))
            let replica = Replica(target: target, limits: group.limits, records: records)
            var watch = ExchangeWatch(pool, replica)
            try exchange(&watch, replica)
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
        let isInTrouble = try await isInTrouble { watch, replica in
            watch.requestDidBegin(isComplete: isComplete, mayStaySilent: false)
            #expect(replica.waitingCount == (isComplete ? 1 : 0))
            watch.didFail(failure)
        }
        #expect(isInTrouble == counts)
    }

    @Test(arguments: [
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n", false),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", true),
    ])
    func `a WebSocket is a good response, however it ends, and a broken live response is none`(
        text: String, isInTrouble: Bool
    ) async throws {
        let head = try Self.head(text)
        let found = try await self.isInTrouble { watch, replica in
            for _ in 0..<AddressHealth.failuresMax {
                watch.requestDidBegin(isComplete: true, mayStaySilent: true)
                watch.didReceive()
                watch.responseDidBegin(head)
                watch.didFail(.brokenAnswer)
                watch.didRelease()
            }
        }
        #expect(found == isInTrouble)
        let isWell = try await !self.isInTrouble { watch, _ in
            watch.requestDidBegin(isComplete: true, mayStaySilent: true)
            watch.didFail(.closedBeforeAnswer)
            watch.requestDidBegin(isComplete: true, mayStaySilent: true)
            watch.responseDidBegin(head)
        }
        #expect(isWell == !isInTrouble)
    }
}
