import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import EdgeHTTP

/// Addresses of an upstream that are skipped for bad responses, silence or a pause, and how they return.
@Suite(.timeLimit(.minutes(5))) struct SkippedAddressTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"
    private static let busy = "HTTP/1.1 503 Busy\r\nRetry-After: 30\r\nContent-Length: 0\r\n\r\n"

    /// Sends requests one after another, each on a connection of its own, so that all event loops take part.
    private func send(_ request: String, times: Int, to edge: LiveEdge) async throws -> [String] {
        var statuses: [String] = []
        for _ in 0..<times {
            let client = try await edge.client()
            await client.send(request)
            try await client.waitForAnswers(1)
            statuses += client.statuses
            await client.close()
        }
        return statuses
    }

    @Test(arguments: ["garbage\r\n\r\n", busy])
    func `an address whose responses are bad is skipped by all loops, with one log line`(response: String) async throws
    {
        let bad = try await RecordingUpstream.start { _, _ in .replyThenClose(response) }
        let good = try await RecordingUpstream.start()
        let log = TestLog()
        try await LiveEdge.run(upstreams: [bad.endpoint, good.endpoint], log: log) { edge in
            let statuses = try await send(Self.post, times: 60, to: edge)
            #expect(bad.requests.count >= 1 && bad.requests.count + good.requests.count == 60)
            // Garbage needs three, and is tried again after 0.1 s, 0.2 s, 0.4 s …
            #expect(statuses.count { $0 == "200" } >= 45, "\(statuses)")
            #expect(log.lines.count { $0.hasPrefix("upstream.skipped ") } == 1, "\(log.lines)")
        }
        await bad.stop()
        await good.stop()
    }

    @Test func `an address that times out three times is skipped`() async throws {
        let slow = try await RecordingUpstream.start { _, _ in .nothing }
        let good = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [slow.endpoint, good.endpoint], timeoutSeconds: 1) { edge in
            let statuses = try await send(Self.post, times: 30, to: edge)
            // Three, and the tries after 0.1 s, 0.2 s …, each of which takes a second; half of all without the rule.
            #expect((3...10).contains(statuses.count { $0 == "504" }), "\(statuses)")
            #expect(slow.requests.count <= 10)
        }
        await slow.stop()
        await good.stop()
    }

    @Test func `a slow body that uses up the time of the whole exchange says nothing about its address`() async throws {
        let frozen = try await RecordingUpstream.start { _, _ in .nothing }
        let good = try await RecordingUpstream.start()
        let log = TestLog()
        try await LiveEdge.run(upstreams: [frozen.endpoint, good.endpoint], log: log, totalSeconds: 1) { edge in
            while frozen.requests.count <= AddressHealth.failuresMax {
                let client = try await edge.client()
                await client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx")
                try await Task.sleep(for: .milliseconds(500))
                await client.send("x")
                try await client.waitForAnswers(1)
                await client.close()
            }
            #expect(!log.lines.contains { $0.hasPrefix("upstream.skipped") }, "\(log.lines)")
        }
        await frozen.stop()
        await good.stop()
    }

    @Test func `the last address gets requests, however bad its responses are`() async throws {
        let bad = try await RecordingUpstream.start { _, index in index < 10 ? .close : .reply(Self.busy) }
        let log = TestLog()
        try await LiveEdge.run(upstreams: [bad.endpoint], log: log) { edge in
            let statuses = try await send(Self.post, times: 20, to: edge)
            #expect(bad.requests.count == 20 && Set(statuses) == ["502", "503"])
            #expect(!log.lines.contains { $0.hasPrefix("upstream.skipped") })
        }
        await bad.stop()
    }

    @Test func `a 5xx with a body is a response like any other`() async throws {
        let broken = try await RecordingUpstream.start { _, _ in
            .reply("HTTP/1.1 500 No\r\nContent-Length: 4\r\n\r\noops")
        }
        let good = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [broken.endpoint, good.endpoint]) { edge in
            let statuses = try await send(Self.get, times: 100, to: edge)
            #expect(statuses.count { $0 == "500" } > 10, "\(statuses)")
        }
        await broken.stop()
        await good.stop()
    }

    @Test(arguments: [("/", true), ("/live", false)])
    func `an address that is silent while three requests wait is skipped, except on live routes`(
        path: String, isSkipped: Bool
    ) async throws {
        let frozen = try await RecordingUpstream.start { _, _ in .nothing }
        // The other address is busy too, so that requests go to both, and answers the later ones.
        let good = try await RecordingUpstream.start { request, _ in
            request.line.contains("?held") ? .nothing : .reply(RecordingUpstream.ok)
        }
        let log = TestLog()
        let live = path == "/live" ? LongPlan(handshake: nil, idleSeconds: 60, watch: Unwatched()) : nil
        let long: @Sendable (RequestHead) throws(HTTPViolation) -> LongPlan? = { _ in live }
        try await LiveEdge.run(upstreams: [frozen.endpoint, good.endpoint], log: log, long: long) { edge in
            var waiting: [RawClient] = []
            for _ in 0..<16 {
                let client = try await edge.client()
                await client.send("GET \(path)?held HTTP/1.1\r\nHost: a\r\n\r\n")
                waiting.append(client)
            }
            try await eventually("all are on their way") { frozen.requests.count + good.requests.count == 16 }
            #expect(frozen.requests.count >= AddressHealth.waitingMin)
            let end = NIODeadline.now() + .seconds(4)
            while NIODeadline.now() < end, !log.lines.contains(where: { $0.hasPrefix("upstream.skipped") }) {
                let client = try await edge.client()
                await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                waiting.append(client)
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(log.lines.contains { $0.hasPrefix("upstream.skipped") && $0.contains("silence") } == isSkipped)
            for client in waiting { await client.close() }
        }
        await frozen.stop()
        await good.stop()
    }

    @Test func `with a check a skipped address returns when the check is 2xx, and gets no request before`() async throws
    {
        let state = Mutex((isBad: true, isWell: false))
        let one = try await RecordingUpstream.start { request, _ in
            let (isBad, isWell) = state.withLock { $0 }
            if request.line == "GET /health?a=1 HTTP/1.1" {
                return .reply(isWell ? RecordingUpstream.ok : "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
            }
            return isBad ? .replyThenClose("garbage\r\n\r\n") : .reply(RecordingUpstream.ok)
        }
        let two = try await RecordingUpstream.start()
        let rule = HealthCheckRule(path: "/health?a=1", intervalSeconds: 1)
        let log = TestLog()
        try await LiveEdge.run(upstreams: [one.endpoint, two.endpoint], check: rule, log: log) { edge in
            try await eventually("it is skipped") {
                _ = try await send(Self.post, times: 1, to: edge)
                return log.lines.contains { $0.hasPrefix("upstream.skipped") }
            }
            state.withLock { $0.isBad = false }
            let before = one.requests.count { $0.head.hasPrefix("POST") }
            try await eventually("it is checked twice") {
                one.requests.count { $0.head.hasPrefix("GET /health?a=1 ") } >= 2
            }
            #expect(Set(try await send(Self.post, times: 20, to: edge)) == ["200"])
            #expect(one.requests.count { $0.head.hasPrefix("POST") } == before)
            state.withLock { $0.isWell = true }
            try await eventually("it has returned") { log.lines.contains { $0.hasPrefix("upstream.returned") } }
            #expect(Set(try await send(Self.post, times: 40, to: edge)) == ["200"])
            #expect(one.requests.count { $0.head.hasPrefix("POST") } > before)
            #expect(log.lines.count { $0.hasPrefix("upstream.skipped") } == 1)
        }
        await one.stop()
        await two.stop()
    }
}

/// Ends no live response.
private final class Unwatched: LongWatch {
    func didOpen(end: @escaping @Sendable (LongEnding) -> Void) -> LongEnding? { nil }
    func didEnd(_ ending: LongEnding) {}
}
