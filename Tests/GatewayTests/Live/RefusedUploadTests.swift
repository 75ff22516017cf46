import NIOCore
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Refusals of requests whose clients read nothing before they have sent all, as OkHttp, fetch and axios do.
@Suite(.timeLimit(.minutes(5))) struct RefusedUploadTests {
    private static let piece = ByteBuffer(repeating: UInt8(ascii: "x"), count: 64 * 1024)

    /// How a client states its body, with what it sends for each piece.
    enum Framing: String, CaseIterable {
        case length, chunks

        func head(_ line: String, pieces: Int) -> String {
            let framing =
                self == .length
                ? "Content-Length: \(pieces * RefusedUploadTests.piece.readableBytes)" : "Transfer-Encoding: chunked"
            return "\(line) HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n"
        }

        func piece(_ bytes: ByteBuffer) -> ByteBuffer {
            guard self == .chunks else { return bytes }
            var chunk = ByteBuffer(string: String(bytes.readableBytes, radix: 16) + "\r\n")
            chunk.writeImmutableBuffer(bytes)
            chunk.writeString("\r\n")
            return chunk
        }

        var end: String { self == .chunks ? "0\r\n\r\n" : "" }
    }

    /// Sends a whole request, and reads only then.
    private func upload(_ client: RawClient, _ line: String, _ framing: Framing, megabytes: Int) async throws {
        let pieces = megabytes * 16
        await client.send(framing.head(line, pieces: pieces))
        for _ in 0..<pieces { await client.send(framing.piece(Self.piece)) }
        await client.send(framing.end)
        try await client.setReading(true)
        try await client.waitForAnswers(1)
        await client.close()
    }

    @Test(
        arguments: [("POST /no", "401"), ("POST /echo", "413"), ("POST /a%2Fb", "400"), ("PURGE /x", "501")],
        Framing.allCases)
    func `a refusal is read after 8 MB were sent`(
        request: (line: String, status: String), framing: Framing
    ) async throws {
        try await EdgeCertificates.run { certificates in
            try await LiveEdge.run(upstreams: [], certificates: certificates.certificates) { edge in
                let plain = try await edge.client(reads: false, keepsHalf: true)
                try await upload(plain, request.line, framing, megabytes: 8)
                #expect(plain.statuses == [request.status], "over http")
                let tls = try await RawClient.connect(
                    to: try #require(edge.tlsAddress), keepsHalf: true, tls: try certificates.client())
                try await upload(tls, request.line, framing, megabytes: 8)
                #expect(tls.statuses == [request.status], "over https")
            }
        }
    }

    @Test(arguments: Framing.allCases) func `an upstream's early answer is read after all was sent`(
        framing: Framing
    ) async throws {
        let upstream = try await EarlyUpstream.start()
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            let client = try await edge.client(reads: false, keepsHalf: true)
            try await upload(client, "POST /x", framing, megabytes: 8)
            #expect(client.statuses == ["409"])
        }
        await upstream.stop()
    }

    @Test(arguments: [("/no", "401", 1), ("/a%2Fb", "400", 0)])
    func `nothing after a refusal is read as a request`(path: String, status: String, begun: Int) async throws {
        let hidden = "GET /own/hidden HTTP/1.1\r\nHost: a\r\n\r\n"
        let large = String(repeating: "x", count: 70_000)
        let bodies = [
            "Content-Length: 70000\r\n\r\n\(large)", "Transfer-Encoding: chunked\r\n\r\n11170\r\n\(large)\r\n0\r\n\r\n",
            // A framing that breaks after the refusal.
            "Transfer-Encoding: chunked\r\n\r\n11170\r\n\(large)\r\nz\r\n",
        ]
        for body in bodies {
            try await LiveEdge.run(upstreams: []) { edge in
                let client = try await edge.client(keepsHalf: true)
                await client.send("POST \(path) HTTP/1.1\r\nHost: a\r\n\(body)\(hidden)")
                try await client.waitForAnswers(1)
                try await eventually("the connection is closed") { edge.running.connectionCount == 0 }
                #expect(client.statuses == [status] && edge.begunCount == begun)
            }
        }
    }

    @Test func `silence, time and bytes end it`() async throws {
        var limits = ServerLimits()
        limits.absorbSilenceSeconds = 1
        limits.absorbSeconds = 2
        limits.absorbedBytesMax = 1 << 20
        try await LiveEdge.run(upstreams: [], limits: limits) { edge in
            let head = "POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n"
            let silent = try await edge.client(keepsHalf: true)
            await silent.send(head)
            try await silent.waitForAnswers(1)
            try await eventually("silence has ended it") { edge.running.connectionCount == 0 }
            let slow = try await edge.client(keepsHalf: true)
            await slow.send(head)
            try await eventually("its time is over", every: .milliseconds(300)) {
                await slow.send("x")
                return edge.running.connectionCount == 0
            }
            let large = try await edge.client(keepsHalf: true)
            await large.send(head)
            for _ in 0..<64 where !large.hasEnded { await large.send(Self.piece) }
            try await eventually("its size has ended it") { edge.running.connectionCount == 0 }
        }
    }

    @Test func `a connection in that state is the first to make room`() async throws {
        var limits = ServerLimits.untimed
        limits.connectionsMax = 2
        try await LiveEdge.run(upstreams: [], limits: limits) { edge in
            let idle = try await edge.client()
            try await eventually("one is open") { edge.running.connectionCount == 1 }
            let refused = try await edge.client(keepsHalf: true)
            await refused.send("POST /no HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n")
            try await refused.waitForAnswers(1)
            let newcomer = try await edge.client()
            await newcomer.send("GET /no HTTP/1.1\r\nHost: a\r\n\r\n")
            try await newcomer.waitForAnswers(1)
            try await eventually("two are left") { edge.running.connectionCount == 2 }
            #expect(!idle.hasEnded)
            for client in [idle, newcomer] { await client.close() }
        }
    }
}
