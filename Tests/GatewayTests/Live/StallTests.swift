import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import EdgeHTTP

/// Event loops that did not run for long: what they carry out when they go on.
@Suite(.timeLimit(.minutes(5))) struct StallTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let echo = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n"

    /// Makes all loops notice that 20 s have passed.
    private func stall(_ pools: EventLoopPools) async throws {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
            let pools = pools.pools(of: loop)
            try await loop.submit {
                let now = pools.value.stalls.now
                pools.value.stalls.now = { now() + 20_000_000_000 }
                pools.value.stalls.note()
            }.get()
        }
    }

    @Test func `connections from before a stall carry out no request, and new ones do`() async throws {
        let upstream = try await RecordingUpstream.start(host: "127.0.0.1")
        let log = TestLog()
        let budget = MemoryBudget(bytesMax: .max, logger: log.logger)
        try await LiveEdge.run(upstreams: [upstream.endpoint], budget: budget) { edge in
            let (idle, asking, unfinished) = (
                try await edge.client(), try await edge.client(), try await edge.client()
            )
            for client in [idle, asking] {
                await client.send(Self.get)
                try await client.waitForAnswers(1)
            }
            await unfinished.send(Self.echo + "ab")
            try await eventually("all are decided") { edge.begunCount == 3 }
            try await stall(edge.pools)
            await asking.send(Self.get)
            await unfinished.send("cd")
            await idle.send(Self.echo + "abcd")
            for client in [asking, unfinished, idle] {
                try await client.waitForEnd()
                #expect(client.statuses.last == "503")
            }
            #expect(upstream.requests.count == 2)
            #expect(
                try await edge.answer(to: Self.get.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n"))
                    .hasPrefix("HTTP/1.1 200 "))
            #expect(upstream.requests.count == 3)
        }
        #expect(log.lines.contains { $0.hasPrefix("edge.stalled ") && $0.contains(" seconds=20") }, "\(log.lines)")
        await upstream.stop()
    }
}
