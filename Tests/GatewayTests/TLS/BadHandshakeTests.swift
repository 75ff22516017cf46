import NIOCore
import NIOSSL
import Policies
import TestSupport
import Testing

@testable import EdgeHTTP

/// Clients that do not shake hands as they should: each has one answer, and others are served.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BadHandshakeTests {
    private static let request = "GET /no HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Runs `body`, and sees whether somebody else is served behind it.
    private func withEdge(
        _ limits: ServerLimits = .untimed, minimum: EdgeTLSPolicy.Version = .tls13,
        _ body: (LiveEdge, SocketAddress, EdgeCertificates) async throws -> Void
    ) async throws {
        try await EdgeCertificates.run(minimum: minimum) { certificates in
            try await LiveEdge.run(upstreams: [], limits: limits, certificates: certificates.certificates) { live in
                let address = try #require(live.tlsAddress)
                try await body(live, address, certificates)
                let other = try await RawClient.connect(to: address, tls: try certificates.client())
                await other.send(Self.request)
                try await other.waitForAnswers(1)
                await other.close()
            }
        }
    }

    /// The first byte of what came back (RFC 8446 section 5.1).
    private static let alert: UInt8 = 21
    private static let handshakeRecord: UInt8 = 22
    /// The contents of the alert: fatal, and that the version is not supported (RFC 8446 section 6.2).
    private static let protocolVersion: ArraySlice<UInt8> = [2, 70]

    @Test func `plain HTTP on the port for TLS is told so`() async throws {
        try await withEdge { _, address, _ in
            let client = try await RawClient.connect(to: address)
            await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            try await client.waitForEnd()
            #expect(client.statuses == ["400"] && client.received.hasSuffix("tlsRequired"))
        }
    }

    @Test func `a long head in plain text is answered too, with all of it read`() async throws {
        try await withEdge { _, address, _ in
            let client = try await RawClient.connect(to: address)
            await client.send("GET / HTTP/1.1\r\nHost: a\r\nCookie: \(String(repeating: "x", count: 8_000))\r\n\r\n")
            try await client.waitForEnd()
            #expect(client.statuses == ["400"] && client.received.hasSuffix("tlsRequired"))
        }
    }

    @Test func `TLS on the port for plain HTTP is no request`() async throws {
        try await withEdge { live, _, _ in
            let client = try await live.client()
            await client.send(try ClientHello.usual())
            try await client.waitForEnd()
            #expect(client.statuses == ["400"])
        }
    }

    @Test(arguments: ["\u{0}\u{1}\u{2}\u{3}", "\u{80}\u{2e}\u{1}", "ssh-2.0", "\r\n\r\n"])
    func `what is neither ends without an answer`(text: String) async throws {
        try await withEdge { _, address, _ in
            let client = try await RawClient.connect(to: address)
            await client.send(text)
            try await client.waitForEnd()
            #expect(client.receivedCount == 0)
        }
    }

    @Test func `noise in a record of TLS is refused with an alert`() async throws {
        try await withEdge { _, address, _ in
            let client = try await RawClient.connect(to: address)
            await client.send(ByteBuffer(bytes: [22, 3, 1, 0, 5, 9, 9, 9, 9, 9]))
            try await client.waitForEnd()
            #expect(client.received.utf8.first == Self.alert)
        }
    }

    @Test(arguments: EdgeTLSPolicy.Version.allCases)
    func `a version below the minimum is told so by an alert, and 1.2 is answered where it is the minimum`(
        minimum: EdgeTLSPolicy.Version
    ) async throws {
        try await withEdge(minimum: minimum) { _, address, _ in
            // Each with the number by which it is offered (RFC 5246 section 7.4.1.2).
            for (version, number) in [(TLSVersion.tlsv1, UInt16(0x0301)), (.tlsv11, 0x0302), (.tlsv12, 0x0303)] {
                let hello = try ClientHello.usual(upTo: version)
                // Behind the heads of record and message.
                try #require(hello.getInteger(at: 9) == number)
                let client = try await RawClient.connect(to: address)
                await client.send(hello)
                if minimum == .tls12, version == .tlsv12 {
                    try await eventually("a ServerHello") { client.received.utf8.first == Self.handshakeRecord }
                    await client.close()
                } else {
                    try await client.waitForEnd()
                    let answer = Array(client.received.utf8)
                    #expect(answer.first == Self.alert && answer.suffix(2) == Self.protocolVersion, "\(answer)")
                }
            }
        }
    }

    @Test func `version 1.2 is spoken where the policy says so, and never without forward secrecy and AEAD`()
        async throws
    {
        try await withEdge(minimum: .tls12) { _, address, certificates in
            func statuses(_ suites: [NIOTLSCipher]) async throws -> [String] {
                let client = try await RawClient.connect(
                    to: address,
                    tls: try certificates.client {
                        $0.maximumTLSVersion = .tlsv12
                        $0.cipherSuiteValues = suites
                    })
                await client.send("GET /no HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                try await client.waitForEnd()
                return client.statuses
            }
            let suites: [(NIOTLSCipher, answers: [String])] = [
                (.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, ["401"]),
                (.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, ["401"]),
                (.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA, []), (.TLS_RSA_WITH_AES_128_GCM_SHA256, []),
            ]
            for (suite, answers) in suites {
                let got = try await statuses([suite])
                #expect(got == answers)
            }
        }
    }

    @Test(arguments: [256, 10_000, 40_000])
    func `a name that is far too long is refused`(count: Int) async throws {
        try await withEdge { _, address, _ in
            let client = try await RawClient.connect(to: address)
            await client.send(ClientHello.asking(forNameOf: count))
            try await client.waitForEnd()
            #expect(client.received.utf8.first == Self.alert)
        }
    }

    @Test func `a handshake a byte at a time is served, as long as it is within its time`() async throws {
        try await withEdge { _, address, _ in
            let client = try await RawClient.connect(to: address)
            for byte in try ClientHello.usual().readableBytesView { await client.send(ByteBuffer(bytes: [byte])) }
            try await eventually("a ServerHello") { client.received.utf8.first == Self.handshakeRecord }
            #expect(!client.hasEnded)
            await client.close()
        }
    }

    @Test func `a handshake has as long as a head, however its bytes come`() async throws {
        try await withEdge(ServerLimits(headSeconds: 3)) { _, address, _ in
            let hello = try ClientHello.usual()
            let silent = try await RawClient.connect(to: address)
            let half = try await RawClient.connect(to: address)
            await half.send(try #require(hello.getSlice(at: 0, length: 100)))
            let stopped = try await RawClient.connect(to: address)
            await stopped.send(hello)
            let dripping = try await RawClient.connect(to: address)
            for byte in hello.readableBytesView where !dripping.hasEnded {
                await dripping.send(ByteBuffer(bytes: [byte]))
                try await Task.sleep(for: .milliseconds(20))
            }
            for client in [silent, half, stopped, dripping] { try await client.waitForEnd() }
            #expect(silent.receivedCount == 0 && half.receivedCount == 0 && dripping.receivedCount == 0)
            #expect(stopped.receivedCount > 0)
        }
    }

    @Test func `of too many handshakes under way the oldest end, and a newcomer is served`() async throws {
        try await withEdge(ServerLimits(connectionsMax: 100, connectionsPerAddressMax: 100)) { live, address, _ in
            let hello = try ClientHello.usual()
            var clients: [RawClient] = []
            for _ in 0..<50 {
                let client = try await RawClient.connect(to: address)
                await client.send(hello)
                clients.append(client)
            }
            let loops = live.pools.count
            let most = loops * max(16, 100 / 8 / loops)
            try await eventually("some have gone") { clients.count { $0.hasEnded } >= 50 - most }
            try await Task.sleep(for: .milliseconds(100))
            #expect(clients.count { !$0.hasEnded } <= most)
            for client in clients { await client.close() }
        }
    }

    @Test func `handshakes that stop give their slots back to those that come`() async throws {
        try await withEdge(ServerLimits(connectionsMax: 16)) { _, address, certificates in
            let hello = try ClientHello.usual()
            var clients: [RawClient] = []
            for _ in 0..<14 {
                let client = try await RawClient.connect(to: address)
                await client.send(hello)
                clients.append(client)
            }
            for _ in 0..<10 {
                let good = try await RawClient.connect(to: address, tls: try certificates.client())
                await good.send(Self.request)
                try await good.waitForAnswers(1)
                clients.append(good)
            }
            for client in clients { await client.close() }
        }
    }

    @Test func `clients that complete the handshake and say nothing give their slots back too`() async throws {
        try await withEdge(ServerLimits(connectionsMax: 16)) { _, address, certificates in
            let tls = try certificates.client()
            var silent: [RawClient] = []
            for _ in 0..<14 {
                let client = try await RawClient.connect(to: address, tls: tls)
                try await client.waitForHandshake()
                silent.append(client)
            }
            var served: [RawClient] = []
            for _ in 0..<10 {
                let good = try await RawClient.connect(to: address, tls: tls)
                await good.send(Self.request)
                try await good.waitForAnswers(1)
                served.append(good)
            }
            #expect(silent.contains { $0.hasEnded })
            for client in silent + served { await client.close() }
        }
    }
}
