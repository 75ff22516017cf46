import NIOCore
import NIOSSL
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The bytes that the kernel accepts on connections whose requests wait.
@Suite(.timeLimit(.minutes(5)), .enabled(if: ReceiveBufferSize.usual != nil)) struct ReceiveBufferTests {
    private static let request = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let requestCount = 8000
    private static let smallFrom = 40
    /// A small buffer, a segment beyond it, and what the gateway reads ahead, over TLS a few records. It is far below what the
    /// usual buffer takes.
    private static let takenBytesMax = 4 * Int(ReceiveBufferSize.small)

    private struct Edge {
        let edge: LiveEdge
        let crowd: [RawClient]
        let tls: @Sendable () throws -> NIOSSLClientHandler

        func connect(isOverTLS: Bool) async throws -> RawClient {
            guard isOverTLS else { return try await edge.client() }
            let client = try await RawClient.connect(to: try #require(edge.tlsAddress), tls: tls)
            try await client.waitForHandshake()
            return client
        }
    }

    /// Runs `body` with so many open connections of others, on an edge that has memory for `smallFrom` with usual buffers.
    private func run(crowd count: Int, _ body: (Edge) async throws -> Void) async throws {
        let budget = MemoryBudget(bytesMax: 2 * Self.smallFrom * Int(try #require(ReceiveBufferSize.usual)))
        try await EdgeCertificates.run { certificates in
            let tls = try certificates.client()
            try await LiveEdge.run(upstreams: [], budget: budget, certificates: certificates.certificates) { edge in
                var crowd: [RawClient] = []
                for _ in 0..<count { crowd.append(try await edge.client()) }
                try await eventually("all are open") { edge.running.connectionCount == count }
                try await body(Edge(edge: edge, crowd: crowd, tls: tls))
                for client in crowd { await client.close() }
            }
        }
    }

    /// Sends requests that wait, and returns how many bytes of them the kernel and the edge have taken.
    private func taken(by edge: LiveEdge, from client: RawClient) async throws -> Int {
        let requests = String(repeating: Self.request, count: Self.requestCount)
        let before = edge.gate.waiterCount
        async let sent: Void = client.send(requests)
        try await eventually("the first is being answered") { edge.gate.waiterCount == before + 1 }
        try await Task.sleep(for: .milliseconds(300))
        let taken = requests.utf8.count - (try await client.untakenBytes())
        await client.close()
        await sent
        return taken
    }

    /// Whether the bytes taken of a new client's requests meet a condition, in one of some attempts. A listener chooses the
    /// buffer when it accepts a connection, for those after it; a busy machine accepts late, and takes bytes late.
    private func takes(_ edge: Edge, isOverTLS: Bool, _ meets: (Int) -> Bool) async throws -> Bool {
        for _ in 0..<10 {
            await (try await edge.connect(isOverTLS: isOverTLS)).close()
            let client = try await edge.connect(isOverTLS: isOverTLS)
            if meets(try await taken(by: edge.edge, from: client)) { return true }
        }
        return false
    }

    @Test(arguments: [false, true]) func `little is taken of requests that wait in a crowd`(
        isOverTLS: Bool
    ) async throws {
        try await run(crowd: Self.smallFrom) { crowded in
            let takesLittle = try await takes(crowded, isOverTLS: isOverTLS) { $0 < Self.takenBytesMax }
            #expect(takesLittle)
        }
    }

    @Test func `few connections begin with the usual buffer, also after a crowd`() async throws {
        #expect(NewConnectionBuffers.smallFrom(bytesMax: 96 << 20, usual: 128 * 1024) == 384)
        try await run(crowd: Self.smallFrom) { crowded in
            for client in crowded.crowd { await client.close() }
            try await eventually("all have gone") { crowded.edge.running.connectionCount == 0 }
            let takesMuch = try await takes(crowded, isOverTLS: false) { $0 > Self.takenBytesMax }
            #expect(takesMuch)
        }
    }

    @Test func `all requests that waited are answered`() async throws {
        try await run(crowd: Self.smallFrom) { crowded in
            let client = try await crowded.connect(isOverTLS: false)
            async let sent: Void = client.send(String(repeating: Self.request, count: 1000))
            try await eventually("the first is being answered") { crowded.edge.gate.waiterCount == 1 }
            crowded.edge.gate.open()
            await sent
            try await eventually("the last response") { client.answerCount == 1000 }
            await client.close()
        }
    }

    @Test(arguments: [false, true]) func `uploads of a crowd go on as their body is read`(
        isOverTLS: Bool
    ) async throws {
        let piece = ByteBuffer(repeating: UInt8(ascii: "x"), count: 64 * 1024)
        try await run(crowd: Self.smallFrom) { crowded in
            for _ in 0..<10 {
                let client = try await crowded.connect(isOverTLS: isOverTLS)
                await client.send("POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: \(64 * 64 * 1024)\r\n\r\n")
                for _ in 0..<64 { await client.send(piece) }
                try await client.waitForAnswers(1)
                #expect(client.statuses == ["401"])
                await client.close()
            }
        }
    }

    @Test func `windows of a crowd can grow as far as any other`() async throws {
        let upstream = try await RecordingUpstream.start()
        let ordinary = try await RawClient.connect(to: upstream.address)
        try await run(crowd: Self.smallFrom) { crowded in
            let client = try await crowded.connect(isOverTLS: false)
            #expect(try await client.windowScale() == ordinary.windowScale())
            await client.close()
        }
        await ordinary.close()
        await upstream.stop()
    }
}
