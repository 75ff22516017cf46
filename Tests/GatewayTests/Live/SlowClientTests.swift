import NIOCore
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The short form of `deploy/bench attacks`.
@Suite(.timeLimit(.minutes(1))) struct SlowClientTests {
    private static let slowCount = 200
    private static let othersCount = 100
    /// For the slowest of the others' requests; generous, since tests share the machine.
    private static let answerLimit: Duration = .seconds(2)

    @Test(arguments: [
        "GET /a HTTP/1.1\r\nHost: a\r\nX-Slow: ", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\nx",
    ])
    func `clients that are slow hold up nobody, and are ended when their time is over`(start: String) async throws {
        let upstream = try await RecordingUpstream.start()
        let limits = ServerLimits(headSeconds: 2, bodySeconds: 2)
        try await LiveEdge.run(upstreams: [upstream.endpoint], limits: limits) { edge in
            var slow: [RawClient] = []
            for _ in 0..<Self.slowCount {
                let client = try await edge.client()
                await client.send(start)
                slow.append(client)
            }
            let other = try await edge.client()
            for number in 1...Self.othersCount {
                let sentAt = ContinuousClock.now
                await other.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
                try await other.waitForAnswers(number)
                #expect(ContinuousClock.now - sentAt < Self.answerLimit)
            }
            for client in slow {
                try await client.waitForEnd()
                #expect(client.received.hasPrefix("HTTP/1.1 408 "))
            }
        }
        await upstream.stop()
    }
}
