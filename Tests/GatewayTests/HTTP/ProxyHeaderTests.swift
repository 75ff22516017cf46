import NIOCore
import Policies
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite(.timeLimit(.minutes(5))) struct ProxyHeaderTests {
    private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10]

    private static func header(command: UInt8 = 0x21, family: UInt8 = 0x11, _ addresses: [UInt8]) -> [UInt8] {
        signature + [command, family, UInt8(addresses.count >> 8), UInt8(addresses.count & 255)] + addresses
    }

    private static let ipv4: [UInt8] = [203, 0, 113, 7, 10, 0, 0, 1, 0xC0, 0, 1, 0xBB]
    private static let ipv6: [UInt8] =
        [0x20, 1, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [9] + [UInt8](repeating: 1, count: 20)

    private static func read(_ bytes: [UInt8]) -> (ProxyHeader, left: Int) {
        var buffer = ByteBuffer(bytes: bytes)
        let header = ProxyHeader.read(from: &buffer)
        return (header, buffer.readableBytes)
    }

    @Test func `the client's address is taken, with what follows left`() throws {
        let request = Array("GET / HTTP/1.1".utf8)
        let (four, left) = Self.read(Self.header(Self.ipv4) + request)
        #expect(four == .client(try #require(IPAddress("203.0.113.7"))))
        #expect(left == request.count)
        // With extensions behind the addresses.
        let (six, _) = Self.read(Self.header(family: 0x21, Self.ipv6 + [3, 0, 4, 1, 2, 3, 4]))
        #expect(six == .client(try #require(IPAddress("2001:db8::9"))))
    }

    @Test func `a proxy that speaks for itself leaves the address as it is`() {
        #expect(Self.read(Self.header(command: 0x20, family: 0, [])).0 == .local)
    }

    @Test func `every beginning of a header waits for the rest`() {
        let whole = Self.header(Self.ipv4)
        for count in 0..<whole.count {
            let (header, left) = Self.read(Array(whole.prefix(count)))
            #expect(header == .incomplete)
            #expect(left == count)
        }
    }

    @Test(arguments: [
        Array("GET / HTTP/1.1\r\n\r\n".utf8), [13, 10, 13, 10, 1],
        header(command: 0x11, ipv4), header(command: 0x22, ipv4), header(family: 0x12, ipv4), header(family: 0, ipv4),
        header(Array(ipv4.prefix(8))), header(family: 0x21, ipv4), signature + [0x21, 0x11, 0x7F, 0xFF],
    ])
    func `anything else is refused`(bytes: [UInt8]) {
        #expect(Self.read(bytes).0 == .malformed)
    }

    private static func readLine(_ line: String) -> (ProxyHeader, left: Int) { read(Array(line.utf8)) }

    @Test(arguments: [
        ("PROXY TCP4 203.0.113.7 10.0.0.1 49152 443\r\n", "203.0.113.7"),
        ("PROXY TCP6 2001:db8::9 2001:db8::1 0 65535\r\n", "2001:db8::9"),
        (
            "PROXY TCP6 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe 65535 65534\r\n",
            "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
        ),
    ])
    func `a line of version 1 states the client too, in any pieces`(line: String, address: String) throws {
        let (header, left) = Self.readLine(line + "GET / HTTP/1.1")
        #expect(header == .client(try #require(IPAddress(address))) && left == 14)
        let bytes = Array(line.utf8)
        for count in bytes.indices { #expect(Self.read(Array(bytes.prefix(count))).0 == .incomplete) }
    }

    @Test(arguments: ["PROXY UNKNOWN\r\n", "PROXY UNKNOWN a b c\r\n", "PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n"])
    func `a proxy that does not know its client leaves the address as it is`(line: String) {
        #expect(Self.readLine(line).0 == .local)
    }

    @Test(arguments: [
        "PROXY\r\n", "PROXY \r\n", "PROXY TCP4\r\n", "PROXY TCP4 1.2.3.4 5.6.7.8 1\r\n",
        "PROXY TCP4 1.2.3.4 5.6.7.8 1 2 3\r\n",
        "PROXY TCP4 ::1 ::2 1 2\r\n", "PROXY TCP6 1.2.3.4 5.6.7.8 1 2\r\n", "PROXY TCP4 1.2.3 5.6.7.8 1 2\r\n",
        "PROXY TCP4 1.2.3.4 5.6.7.8 1 65536\r\n", "PROXY TCP4 1.2.3.4 5.6.7.8 01 2\r\n",
        "PROXY TCP4 1.2.3.4 5.6.7.8 -1 2\r\n",
        "PROXY TCP4  1.2.3.4 5.6.7.8 1 2\r\n", "PROXY TCP4 1.2.3.4 5.6.7.8 1 2 \r\n",
        "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\n",
        "PROXY UDP4 1.2.3.4 5.6.7.8 1 2\r\n", "proxy TCP4 1.2.3.4 5.6.7.8 1 2\r\n",
        "PROXY tcp4 1.2.3.4 5.6.7.8 1 2\r\n",
        "PROXY UNKNOWNX\r\n", "PROXY UNKNOWN \(String(repeating: "x", count: 92))\r\n", "POST / HTTP/1.1\r\n",
    ])
    func `any other line is refused`(line: String) { #expect(Self.readLine(line).0 == .malformed) }

    @Test func `a second header of either version is 400`() async throws {
        let limits = ServerLimits(sharedPeers: Self.loopback, expectsProxyHeader: true)
        try await LiveEdge.run(upstreams: [], limits: limits) { edge in
            let line = Array("PROXY TCP4 203.0.113.7 10.0.0.1 1 2\r\n".utf8)
            let request = Array("GET /no HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            for headers in [line + line, line + Self.header(Self.ipv4), Self.header(Self.ipv4) + line] {
                let client = try await edge.client()
                await client.send(ByteBuffer(bytes: headers + request))
                try await client.waitForEnd()
                #expect(client.statuses == ["400"])
            }
            let client = try await edge.client()
            await client.send(ByteBuffer(bytes: line + request))
            try await client.waitForAnswers(1)
            #expect(client.statuses == ["401"])
            await client.close()
        }
    }

    @Test func `a connection is served behind its header, in any pieces, and not without`() async throws {
        let limits = ServerLimits(sharedPeers: Self.loopback, expectsProxyHeader: true)
        try await LiveEdge.run(upstreams: [], limits: limits) { edge in
            let client = try await edge.client()
            let bytes = Self.header(Self.ipv4) + Array("GET /no HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
            for byte in bytes.prefix(20) { await client.send(ByteBuffer(bytes: [byte])) }
            await client.send(ByteBuffer(bytes: bytes.dropFirst(20)))
            try await client.waitForEnd()
            #expect(client.received.hasPrefix("HTTP/1.1 401"))
            let stranger = try await edge.client()
            await stranger.send("GET /no HTTP/1.1\r\nHost: a\r\n\r\n")
            try await stranger.waitForEnd()
            #expect(stranger.received.isEmpty)
        }
    }

    private static let loopback = [CIDR(around: IPAddress(ipv4: 0x7F00_0000), prefixLength: 8)]
    private static let elsewhere = [CIDR(around: IPAddress(ipv4: 0x0A00_0000), prefixLength: 8)]

    @Test func `who is no trusted proxy is not served, whatever header he sends`() async throws {
        let limits = ServerLimits(sharedPeers: Self.elsewhere, expectsProxyHeader: true)
        try await LiveEdge.run(upstreams: [], limits: limits) { edge in
            let request = Array("GET /no HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            for bytes in [Self.header(Self.ipv4) + request, request] {
                let client = try await edge.client()
                await client.send(ByteBuffer(bytes: bytes))
                try await client.waitForEnd()
                #expect(client.received.isEmpty)
            }
        }
    }

    @Test func `a client has as many connections through the proxy as it may have`() async throws {
        var limits = ServerLimits.untimed
        limits.connectionsPerAddressMax = 1
        limits.sharedPeers = Self.loopback
        limits.expectsProxyHeader = true
        try await LiveEdge.run(upstreams: [], limits: limits) { edge in
            func ask(_ addresses: [UInt8], _ family: UInt8) async throws -> RawClient {
                let client = try await edge.client()
                await client.send(
                    ByteBuffer(
                        bytes: Self.header(family: family, addresses)
                            + Array("GET /no HTTP/1.1\r\nHost: a\r\n\r\n".utf8)))
                return client
            }
            let first = try await ask(Self.ipv4, 0x11)
            try await first.waitForAnswers(1)
            let second = try await ask(Self.ipv4, 0x11)
            try await second.waitForEnd()
            #expect(second.received.isEmpty)
            let other = try await ask(Self.ipv6, 0x21)
            try await other.waitForAnswers(1)
            await first.close()
            try await eventually("the client's place is free") {
                let again = try await ask(Self.ipv4, 0x11)
                try await eventually("an answer or the end") { again.answerCount > 0 || again.hasEnded }
                await again.close()
                return again.answerCount == 1
            }
            await other.close()
        }
    }
}
