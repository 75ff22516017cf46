import NIOCore
import NIOSSL
import Policies
import TestSupport
import Testing

@testable import EdgeHTTP

/// Requests over TLS, through a server with real sockets.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TLSEdgeTests {
    private static let request = "GET /no HTTP/1.1\r\nHost: a\r\n\r\n"

    private func withEdge(
        _ edge: EdgeCertificates, limits: ServerLimits = .untimed, budget: MemoryBudget = .unbounded,
        _ body: (LiveEdge, SocketAddress) async throws -> Void
    ) async throws {
        try await LiveEdge.run(upstreams: [], limits: limits, budget: budget, certificates: edge.certificates) { live in
            try await body(live, try #require(live.tlsAddress))
        }
    }

    @Test func `one connection carries many requests, small and large, in order`() async throws {
        try await EdgeCertificates.run { certificates in
            try await withEdge(certificates) { _, address in
                let client = try await RawClient.connect(to: address, tls: try certificates.client())
                let paths = (0..<60).map { $0.isMultiple(of: 2) ? "/own/\($0)" : "/endpoint/\($0)" }
                for path in paths { await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n") }
                try await client.waitForAnswers(paths.count)
                try await eventually("all bodies") { client.receivedCount > paths.count * 8_000 }
                #expect(Padded.paths(in: client.received) == paths)
                let body = String(repeating: "x", count: 1000)
                await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n\(body)")
                try await eventually("the echo") { client.received.hasSuffix(body) }
                await client.close()
            }
        }
    }

    @Test func `each name gets its certificate, and unknown ones that of default`() async throws {
        let wanted = [("a", ["a.example"]), ("b", ["*.b.example"]), ("default", ["fallback.example"])]
        try await EdgeCertificates.run(wanted.map { (name: $0.0, hosts: $0.1) }) { certificates in
            try await withEdge(certificates) { _, address in
                for name in ["a.example", "x.b.example", "fallback.example"] {
                    let client = try await RawClient.connect(to: address, tls: try certificates.client(name))
                    await client.send(Self.request)
                    try await client.waitForAnswers(1)
                    await client.close()
                }
                // The client finds that the certificate is not for the requested name.
                let stranger = try await RawClient.connect(to: address, tls: try certificates.client("c.example"))
                try await stranger.waitForEnd()
                #expect(stranger.received.isEmpty)
            }
        }
    }

    @Test func `without a name the only certificate is shown`() async throws {
        try await EdgeCertificates.run { certificates in
            try await withEdge(certificates) { _, address in
                let client = try await RawClient.connect(to: address, tls: try certificates.client(nil))
                await client.send(Self.request)
                try await client.waitForAnswers(1)
                await client.close()
            }
        }
    }

    @Test func `of several without default none is shown to who asks for no name, or for another`() async throws {
        let wanted = [(name: "a", hosts: ["a.example"]), (name: "b", hosts: ["b.example"])]
        try await EdgeCertificates.run(wanted) { certificates in
            try await withEdge(certificates) { _, address in
                for name in [nil, "c.example"] {
                    let stranger = try await RawClient.connect(to: address)
                    await stranger.send(try ClientHello.usual(name))
                    try await stranger.waitForEnd()
                    // An alert, in a record of its own (RFC 8446 section 5.1).
                    #expect(stranger.received.utf8.first == 21 && stranger.receivedCount == 7)
                }
                let client = try await RawClient.connect(to: address, tls: try certificates.client("b.example"))
                await client.send(Self.request)
                try await client.waitForAnswers(1)
                await client.close()
            }
        }
    }

    @Test func `other certificates are shown from the next handshake on, and connections stay`() async throws {
        try await EdgeCertificates.run { certificates in
            try await withEdge(certificates) { _, address in
                let before = try await RawClient.connect(to: address, tls: try certificates.client())
                await before.send(Self.request)
                try await before.waitForAnswers(1)
                try certificates.certificates.replace(
                    with: try await EdgeCertificates.pairs([("default", ["localhost"])]))
                // Of an authority that the client does not trust.
                let after = try await RawClient.connect(to: address, tls: try certificates.client())
                try await after.waitForEnd()
                await before.send(Self.request)
                try await before.waitForAnswers(2)
                await before.close()
            }
        }
    }

    @Test func `a connection that rests too long ends with a farewell`() async throws {
        try await EdgeCertificates.run { certificates in
            try await withEdge(certificates, limits: ServerLimits(idleSeconds: 1)) { live, address in
                let client = try await RawClient.connect(to: address, tls: try certificates.client())
                let silent = try await RawClient.connect(to: address, tls: try certificates.client())
                await client.send(Self.request)
                try await client.waitForEnd()
                try await silent.waitForEnd()
                #expect(client.statuses == ["401"])
                try await eventually("none is left") { live.running.connectionCount == 0 }
            }
        }
    }

    @Test func `the PROXY header comes before the handshake`() async throws {
        let limits = ServerLimits(
            sharedPeers: [.init(around: .init(ipv4: 0x7F00_0000), prefixLength: 8)], expectsProxyHeader: true)
        let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10]
        let header = ByteBuffer(bytes: signature + [0x21, 0x11, 0, 12, 203, 0, 113, 7, 10, 0, 0, 1, 0xC0, 0, 1, 0xBB])
        try await EdgeCertificates.run { certificates in
            try await withEdge(certificates, limits: limits) { _, address in
                let announced = try await RawClient.connect(
                    to: address, preface: header, tls: try certificates.client())
                await announced.send(Self.request)
                try await announced.waitForAnswers(1)
                await announced.close()
                let bare = try await RawClient.connect(to: address, tls: try certificates.client())
                try await bare.waitForEnd()
                #expect(bare.received.isEmpty)
            }
        }
    }

    @Test(arguments: [
        (Array("PROXY UNKNOWN\r\n".utf8), "127.0.0.1 is the client"),
        (Array("PROXY TCP4 203.0.113.7 10.0.0.1 1 2\r\n".utf8), "203.0.113.7 is the client"),
        (Array("PROXY TCP4 127.0.0.2 10.0.0.1 1 2\r\n".utf8), "127.0.0.2 is a proxy"),
        ([13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10, 0x20, 0, 0, 0], "127.0.0.1 is the client"),
    ])
    func `a proxy that announces an unknown client is no proxy of another`(header: [UInt8], words: String) async throws
    {
        let limits = ServerLimits(
            sharedPeers: [.init(around: .init(ipv4: 0x7F00_0000), prefixLength: 8)], expectsProxyHeader: true)
        let request = "GET /peer HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        try await EdgeCertificates.run { certificates in
            try await withEdge(certificates, limits: limits) { live, address in
                let preface = ByteBuffer(bytes: header)
                let plain = try await RawClient.connect(to: live.address, preface: preface)
                let encrypted = try await RawClient.connect(
                    to: address, preface: preface, tls: try certificates.client())
                for (client, scheme) in [(plain, "http"), (encrypted, "https")] {
                    await client.send(request)
                    try await client.waitForEnd()
                    #expect(client.received.hasSuffix("\r\n\r\n\(scheme) \(words)"), "\(client.received)")
                }
            }
        }
    }

    @Test func `requests under way are answered when the server stops`() async throws {
        try await EdgeCertificates.run { certificates in
            try await withEdge(certificates) { live, address in
                let client = try await RawClient.connect(to: address, tls: try certificates.client())
                await client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
                try await eventually("it waits") { live.gate.waiterCount == 1 }
                async let stopped: Void = live.running.stop(within: TimeAmount(Patience.limit))
                try await eventually("it accepts no connection") { await Self.refuses(address) }
                live.gate.open()
                try await client.waitForEnd()
                try await stopped
                #expect(client.statuses == ["200"] && client.received.contains("Connection: close"))
            }
        }
    }

    private static func refuses(_ address: SocketAddress) async -> Bool {
        do { await (try await RawClient.connect(to: address)).close() } catch { return true }
        return false
    }

    @Test func `what a connection over TLS holds is counted, and nothing of those that are gone`() async throws {
        let budget = MemoryBudget(bytesMax: 64 << 20)
        try await EdgeCertificates.run { certificates in
            try await withEdge(certificates, budget: budget) { _, address in
                var clients: [RawClient] = []
                for _ in 0..<40 {
                    let client = try await RawClient.connect(to: address, tls: try certificates.client())
                    await client.send(Self.request)
                    try await client.waitForAnswers(1)
                    clients.append(client)
                }
                let unit = MemoryBudget.tlsConnectionBytes
                try await eventually("each counts its fixed cost") {
                    abs(budget.heldBytes - 40 * unit) <= 2 * MemoryBudget.reportedBytes
                }
                for client in clients { await client.close() }
                try await eventually("nothing is held") { budget.heldBytes < 2 * MemoryBudget.reportedBytes }
            }
        }
    }

    @Test func `large answers of an upstream come whole, to many clients and to slow ones`() async throws {
        try await EdgeCertificates.run { certificates in
            let upstream = try await RecordingUpstream.start { _, _ in .stream(byteCount: 1_000_000) }
            try await LiveEdge.run(upstreams: [upstream.endpoint], certificates: certificates.certificates) { live in
                let address = try #require(live.tlsAddress)
                let tls = try certificates.client()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<2 {
                        group.addTask {
                            let client = try await RawClient.connect(to: address, tls: tls)
                            for _ in 0..<2 { await client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n") }
                            if index == 0 {
                                try await client.setReading(false)
                                try await Task.sleep(for: .milliseconds(300))
                                try await client.setReading(true)
                            }
                            try await eventually("both answers") { client.receivedCount > 2_000_000 }
                            await client.close()
                        }
                    }
                    try await group.waitForAll()
                }
            }
            await upstream.stop()
        }
    }

    /// The reset comes while an answer is written, and what the client has sent behind its request is read with it: what was
    /// just being changed must not be asked for (Swift ends a process for that). It takes some hundreds of resets to hit such
    /// a moment, so a broken guard is sure to be found in the long form alone (`deploy/attack resets`).
    @Test func `clients that reset in the midst of an answer, with more sent, do no harm`() async throws {
        try await EdgeCertificates.run { certificates in
            let upstream = try await RecordingUpstream.start { _, _ in .stream(byteCount: 400_000) }
            try await LiveEdge.run(upstreams: [upstream.endpoint], certificates: certificates.certificates) { live in
                let address = try #require(live.tlsAddress)
                let tls = try certificates.client()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let (clients, rounds) = LongRun.isOn ? (8, 300) : (2, 30)
                    for index in 0..<clients {
                        group.addTask {
                            for round in 0..<rounds {
                                let client = try await RawClient.connect(to: address, tls: tls)
                                await client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
                                await client.send("GET /no HTTP/1.1\r\nHost: a\r\n\r\n")
                                let count = (index * rounds + round) * 6_100 % 350_000
                                try await eventually("some of it", every: .milliseconds(1)) {
                                    client.receivedCount >= count
                                }
                                await client.send("GET /no HTTP/1.1\r\nHost: a\r\n\r\n")
                                await client.reset()
                                // Others' tests share these threads, and BoringSSL is slow in a debug build.
                                if !LongRun.isOn { try await Task.sleep(for: .milliseconds(20)) }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                try await eventually("none is left") { live.running.connectionCount == 0 }
                let other = try await RawClient.connect(to: address, tls: tls)
                await other.send(Self.request)
                try await other.waitForAnswers(1)
                await other.close()
            }
            await upstream.stop()
        }
    }
}
