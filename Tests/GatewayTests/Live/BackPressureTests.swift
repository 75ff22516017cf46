import NIOCore
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Clients that send requests and read no answers.
@Suite(.timeLimit(.minutes(5))) struct BackPressureTests {
    private static let requestCount = 900
    /// Answers of 8 KB that may be begun: what waits in the process (64 KiB), and what the kernel takes on both sides
    /// before the client has read anything.
    private static let begunMax = 250

    private func requests(_ path: String) -> String {
        (0..<Self.requestCount).map { "GET \(path)\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()
    }

    private func withEdge(
        limits: ServerLimits = .untimed, _ body: (LiveEdge) async throws -> Void
    ) async throws {
        let upstream = try await RecordingUpstream.start { request, _ in
            let body = Padded.body(request.line.split(separator: " ").dropFirst().first.map(String.init) ?? "")
            return .reply("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
        try await LiveEdge.run(upstreams: [upstream.endpoint], limits: limits, body)
        await upstream.stop()
    }

    /// Waits until no more requests are begun, and returns how many were.
    private func settledCount(_ edge: LiveEdge) async throws -> Int {
        var last = -1
        var unchanged = 0
        try await eventually("no more requests are begun") {
            unchanged = edge.begunCount == last ? unchanged + 1 : 0
            last = edge.begunCount
            return last > 0 && unchanged >= 20
        }
        return last
    }

    @Test(arguments: ["/own/", "/endpoint/", "/proxied/"])
    func `requests wait while their client does not read, and are all answered in order when it does`(
        path: String
    ) async throws {
        try await withEdge { edge in
            let client = try await edge.client(reads: false)
            async let sent: Void = client.send(requests(path))
            #expect(try await settledCount(edge) < Self.begunMax)
            try await client.setReading(true)
            await sent
            let last = Padded.body("\(path)\(Self.requestCount - 1)").utf8
            try await eventually("the last answer", every: .milliseconds(200)) {
                client.received.utf8.suffix(last.count).elementsEqual(last)
            }
            #expect(Padded.paths(in: client.received) == (0..<Self.requestCount).map { "\(path)\($0)" })
            #expect(!client.hasEnded)
            await client.close()
        }
    }

    @Test(arguments: ["/own/", "/endpoint/", "/proxied/"])
    func `a client that reads nothing for the idle time is closed`(path: String) async throws {
        try await withEdge(limits: ServerLimits(idleSeconds: 1)) { edge in
            let client = try await edge.client(reads: false)
            async let sent: Void = client.send(requests(path))
            try await eventually("one is open") { edge.running.connectionCount == 1 }
            try await eventually("the connection has ended") { edge.running.connectionCount == 0 }
            #expect(edge.begunCount < Self.begunMax)
            await client.close()
            await sent
        }
    }
}
