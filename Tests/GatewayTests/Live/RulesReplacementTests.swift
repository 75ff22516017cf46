import Logging
import NIOCore
import ServiceKit
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// An edge whose rules are replaced while clients are connected.
@Suite(.timeLimit(.minutes(5))) struct RulesReplacementTests {
    private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    @Test func `a kept connection is served by the new rules from its next request on`() async throws {
        try await LiveEdge.run(upstreams: []) { edge in
            let client = try await edge.client()
            await client.send(Self.get("/no"))
            try await client.waitForAnswers(1)
            try await edge.server.use(EdgeRules(router: TeapotRouter(), limits: .untimed))
            await client.send(Self.get("/no"))
            try await client.waitForAnswers(2)
            #expect(client.statuses == ["401", "418"])
            await client.close()
        }
    }

    @Test func `a request under way ends by the rules with which it began`() async throws {
        let upstream = try await RecordingUpstream.start { _, _ in .nothing }
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let (waiting, proxied) = (try await edge.client(), try await edge.client())
            await waiting.send(Self.get("/slow"))
            await proxied.send(Self.get("/proxied"))
            try await eventually("both are under way") { edge.gate.waiterCount == 1 && upstream.requests.count == 1 }
            try await edge.server.use(EdgeRules(router: TeapotRouter(), limits: .untimed))
            edge.gate.open()
            await upstream.closeConnections()
            try await waiting.waitForAnswers(1)
            try await proxied.waitForAnswers(1)
            // The new rules would answer both with 418: the upstream's failure, too.
            #expect(waiting.statuses == ["200"] && proxied.statuses == ["502"])
            for client in [waiting, proxied] { await client.close() }
        }
        await upstream.stop()
    }

    @Test func `new limits of connections hold for new connections`() async throws {
        try await LiveEdge.run(upstreams: []) { edge in
            let old = try await edge.client()
            await old.send(Self.get("/no"))
            try await old.waitForAnswers(1)
            var limits = ServerLimits.untimed
            limits.connectionsPerAddressMax = 1
            try await edge.server.use(EdgeRules(router: TeapotRouter(), limits: limits))
            let refused = try await edge.client()
            try await refused.waitForEnd()
            await old.send(Self.get("/no"))
            try await old.waitForAnswers(2)
            #expect(old.statuses == ["401", "418"] && refused.received.isEmpty)
            await old.close()
        }
    }

    @Test func `a retired upstream answers what it has, and then loses its connections`() async throws {
        let upstream = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let client = try await edge.client()
            await client.send(Self.get("/one"))
            try await client.waitForAnswers(1)
            #expect(upstream.openCount == 1)
            edge.group.retire()
            await client.send(Self.get("/two"))
            try await client.waitForAnswers(2)
            #expect(client.statuses == ["200", "200"])
            try await eventually("its connections are closed") { upstream.openCount == 0 }
            await client.close()
        }
        await upstream.stop()
    }

    @Test func `labels of different routes are different, although their tables number them alike`() {
        let (one, other) = (RouteLabel(index: 3, text: "/a"), RouteLabel(index: 3, text: "/b"))
        #expect(one != other && one == RouteLabel(index: 3, text: "/a"))
    }
}

/// Answers everything with 418.
private struct TeapotRouter: RequestRouter {
    private let teapot = Reply(status: 418, headers: [], body: [])

    func route(_ head: RequestHead, on eventLoop: any EventLoop) -> RoutedRequest {
        RoutedRequest(route: .other, disposition: .answer(teapot))
    }
    func refusal(_ violation: HTTPViolation, at route: RouteLabel) -> Reply { teapot }
    func answerLines(for refused: RefusedHead) -> [UInt8] { [] }
    func upstreamFailure(_ failure: UpstreamFailure, at route: RouteLabel) -> Reply { teapot }
    func clientAddress(of head: RequestHead) -> String { "192.0.2.1" }
}
