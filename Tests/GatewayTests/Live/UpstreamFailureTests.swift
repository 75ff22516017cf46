import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite(.timeLimit(.minutes(5))) struct UpstreamFailureTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"

    @Test func `a POST is never sent twice when the upstream closes the connection under it`() async throws {
        let upstream = try await RecordingUpstream.start { _, index in
            index == 1 ? .close : .reply(RecordingUpstream.ok)
        }
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let client = try await edge.client()
            await client.send(Self.get)
            try await client.waitForAnswers(1)
            await client.send(Self.post)
            try await client.waitForAnswers(2)
            #expect(client.statuses == ["200", "502"])
            #expect(upstream.requests.count == 2)
            await client.close()
        }
        await upstream.stop()
    }

    @Test func `a POST after the upstream closed its idle connections goes on a new one`() async throws {
        let upstream = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let client = try await edge.client()
            for round in 1...50 {
                await client.send(Self.post)
                try await client.waitForAnswers(round)
                await upstream.closeConnections()
            }
            #expect(Set(client.statuses) == ["200"])
            #expect(upstream.requests.count == 50)
            await client.close()
        }
        await upstream.stop()
    }

    @Test func `a GET on a connection that is closed under it is sent once more`() async throws {
        let upstream = try await RecordingUpstream.start { _, index in
            index == 1 ? .close : .reply(RecordingUpstream.ok)
        }
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let client = try await edge.client()
            for round in 1...2 {
                await client.send(Self.get)
                try await client.waitForAnswers(round)
            }
            #expect(client.statuses == ["200", "200"])
            #expect(upstream.requests.count == 3)
            await client.close()
        }
        await upstream.stop()
    }

    @Test func `a GET on a new connection that is closed under it is 502, not sent again`() async throws {
        let upstream = try await RecordingUpstream.start { _, _ in .close }
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let client = try await edge.client()
            await client.send(Self.get)
            try await client.waitForAnswers(1)
            #expect(client.statuses == ["502"])
            #expect(upstream.requests.count == 1)
            await client.close()
        }
        await upstream.stop()
    }

    @Test func `a replica that refuses connections is passed over, and asked again when it is back`() async throws {
        let one = try await RecordingUpstream.start()
        let two = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [one.endpoint, two.endpoint]) { edge in
            let client = try await edge.client()
            await one.stop()
            for round in 1...10 {
                await client.send(Self.post)
                try await client.waitForAnswers(round)
            }
            #expect(Set(client.statuses) == ["200"])
            #expect(two.requests.count == 10)
            let back = try await RecordingUpstream.start(host: one.address.ipAddress, port: one.address.port ?? 0)
            await two.stop()
            await client.send(Self.post)
            try await client.waitForAnswers(11)
            #expect(client.statuses.last == "200")
            #expect(back.requests.count == 1)
            await back.stop()
            await client.close()
        }
    }

    @Test func `no replica at all is said so at once`() async throws {
        let gone = try await RecordingUpstream.start()
        await gone.stop()
        try await LiveEdge.run(upstreams: [gone.endpoint]) { edge in
            let client = try await edge.client()
            await client.send(Self.get)
            try await client.waitForAnswers(1)
            #expect(client.received.hasSuffix("unreachable"))
            await client.close()
        }
    }

    @Test func `names are looked up`() async throws {
        let upstream = try await RecordingUpstream.start(host: "127.0.0.1")
        try await LiveEdge.run(upstreams: ["http://localhost:\(upstream.address.port ?? 0)"]) { edge in
            let client = try await edge.client()
            await client.send(Self.get)
            try await client.waitForAnswers(1)
            #expect(client.statuses == ["200"])
            #expect(upstream.requests.first?.head.contains("\r\nHost: localhost:") == true)
            await client.close()
        }
        await upstream.stop()
    }

    @Test func `busy connections are waited for, within bounds`() async throws {
        let upstream = try await RecordingUpstream.start { request, _ in
            request.head.hasPrefix("GET /hang") ? .nothing : .reply(RecordingUpstream.ok)
        }
        var limits = UpstreamLimits()
        limits.connectionsMax = 1
        limits.waitMilliseconds = 200
        try await LiveEdge.run(upstreams: [upstream.endpoint], upstreamLimits: limits) { edge in
            // All loops of the edge have a pool of their own: enough clients to fill each.
            var hanging: [RawClient] = []
            for _ in 0..<8 {
                let client = try await edge.client()
                await client.send("GET /hang HTTP/1.1\r\nHost: a\r\n\r\n")
                hanging.append(client)
            }
            try await eventually("some are told that all are busy") {
                hanging.contains { $0.received.hasSuffix("overloaded") }
            }
            let asking = try await edge.client()
            await asking.send(Self.get)
            for client in hanging { await client.close() }
            try await asking.waitForAnswers(1)
            await asking.close()
        }
        await upstream.stop()
    }

    // MARK: Calls of our own

    private func call(
        _ edge: LiveEdge, repeatable: Bool = true, within limit: TimeAmount = TimeAmount(Patience.limit)
    ) async throws(UpstreamFailure) -> UpstreamClient.Answer {
        let count = Atomic<Int>(0)
        return try await UpstreamClient(loops: edge.pools).send(
            to: edge.group, before: .now() + limit, body: Array("body".utf8), repeatable: repeatable
        ) { endpoint, buffer in
            let number = count.add(1, ordering: .relaxed).newValue
            buffer.writeString(
                "POST /call HTTP/1.1\r\nHost: \(endpoint.authority)\r\nX-Try: \(number)\r\nContent-Length: 4\r\n\r\n")
            return { _, _ in true }
        }
    }

    @Test func `a repeatable call is made again with a new head, at most three times`() async throws {
        let upstream = try await RecordingUpstream.start { _, index in index < 2 ? .close : .reply(RecordingUpstream.ok)
        }
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let answer = try await call(edge)
            #expect(answer.status == 200 && answer.body == Array("ok".utf8))
            #expect(upstream.requests.count == 3)
            #expect(upstream.requests.last?.head.contains("X-Try: 3") == true)
        }
        await upstream.stop()
        let closing = try await RecordingUpstream.start { _, _ in .close }
        try await LiveEdge.run(upstreams: [closing.endpoint]) { edge in
            await #expect(throws: UpstreamFailure.closedBeforeAnswer) { _ = try await call(edge) }
            #expect(closing.requests.count == UpstreamClient.triesMax)
            await #expect(throws: UpstreamFailure.closedBeforeAnswer) { _ = try await call(edge, repeatable: false) }
            #expect(closing.requests.count == UpstreamClient.triesMax + 1)
        }
        await closing.stop()
    }

    @Test func `a replica that stays silent costs a call its time once, and gets it back when it responds`()
        async throws
    {
        let isSilent = Mutex(true)
        let one = try await RecordingUpstream.start { _, _ in
            isSilent.withLock { $0 } ? .nothing : .reply(RecordingUpstream.ok)
        }
        let two = try await RecordingUpstream.start()
        var limits = UpstreamLimits.untimed
        (limits.silenceMilliseconds, limits.silenceTrialMilliseconds) = (300, 50)
        try await LiveEdge.run(upstreams: [one.endpoint, two.endpoint], upstreamLimits: limits) { edge in
            // Each loop of the edge has a pool of its own, which learns by itself.
            try await eventually("each loop has learned") {
                for _ in 0..<16 { do { _ = try await call(edge, within: .milliseconds(200)) } catch { return false } }
                return true
            }
            let before = one.requests.count
            for _ in 0..<100 {
                _ = try await call(edge)
                try await Task.sleep(for: .milliseconds(10))
            }
            // It was tried again now and then, and the call went on to the other one.
            #expect(one.requests.count > before && one.requests.count < before + 100)
            isSilent.withLock { $0 = false }
            let known = one.requests.count
            try await eventually("it is one of two again") {
                _ = try await call(edge)
                return one.requests.count > known + 20
            }
        }
        await one.stop()
        await two.stop()
    }

    @Test func `calls go on while one of two replicas stops`() async throws {
        let one = try await RecordingUpstream.start()
        let two = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [one.endpoint, two.endpoint]) { edge in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<40 {
                            let answer = try await call(edge)
                            #expect(answer.status == 200)
                        }
                    }
                }
                group.addTask {
                    try await eventually("both are asked") { !one.requests.isEmpty && !two.requests.isEmpty }
                    await one.stop()
                }
                try await group.waitForAll()
            }
        }
        await two.stop()
    }

    @Test func `an answer that is too long is refused, one that does not come is a timeout`() async throws {
        let upstream = try await RecordingUpstream.start { _, index in
            index == 0 ? .stream(byteCount: UpstreamClient.answerBytesMax + 1) : .nothing
        }
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            await #expect(throws: UpstreamFailure.malformedAnswer) { _ = try await call(edge) }
            await #expect(throws: UpstreamFailure.timeout) { _ = try await call(edge, within: .seconds(1)) }
        }
        await upstream.stop()
    }
}
