import AccessTokens
import CryptoPrimitives
import FoundationEssentials
import Testing

@testable import BenchCore

struct GatewayBenchTests {
    @Test func `an RSA key is written as its ASN.1 says`() throws {
        let key = JSONWebKey(kty: "RSA", kid: "k", n: Base64URL.encode(Self.modulus), e: "AQAB")
        let pem = try #require(RSAPublicKeyPEM.text(of: key))
        let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        let der = try #require(Data(base64Encoded: base64))
        let head: [UInt8] = [
            0x30, 0x81, 0x9F, 0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05,
            0x00, 0x03, 0x81, 0x8D, 0x00, 0x30, 0x81, 0x89, 0x02, 0x81, 0x81, 0x00,
        ]
        #expect(Array(der) == head + Self.modulus + [0x02, 0x03, 0x01, 0x00, 0x01])
        #expect(pem.hasPrefix("-----BEGIN PUBLIC KEY-----\n") && pem.hasSuffix("-----END PUBLIC KEY-----\n"))
    }

    @Test func `a key that is none of RSA has no such form`() {
        #expect(RSAPublicKeyPEM.text(of: JSONWebKey(kty: "EC", kid: "k", x: "AQAB", y: "AQAB")) == nil)
    }

    @Test func `what wrk's script prints is read, and a run with failures counts for nothing`() throws {
        let good = TokenLoad.parse("Running 1s\nRequests/sec: 1\nRESULT 20000 2000000 4500 0\n")
        #expect(good == TokenLoad.Outcome(requestCount: 20_000, seconds: 2, p99Milliseconds: 4.5, failureCount: 0))
        let bad = try #require(TokenLoad.parse("RESULT 20000 2000000 4500 1\n"))
        #expect(throws: UnexpectedReply.self) { try bad.withoutFailures() }
        #expect(TokenLoad.parse("RESULT 0 2000000 0 0\n") == nil)
        #expect(TokenLoad.parse("unable to connect\n") == nil)
    }

    @Test func `ratios are of medians, and a dear gateway misses its bounds`() {
        var rounds = GatewayRounds()
        for cpu in [50.0, 40, 60] { rounds.add(sample(cpu, 15_000), of: "gateway", .inTurn) }
        for cpu in [100.0, 100, 500] { rounds.add(sample(cpu, 10_000), of: "haproxy", .inTurn) }
        for cpu in [70.0, 70, 70] { rounds.add(sample(cpu, 9000), of: "envoy", .inTurn) }
        let figures = Dictionary(uniqueKeysWithValues: rounds.figures().map { ($0.name, $0) })
        #expect(figures["gateway.cpu.to-haproxy"]?.value == 0.5)
        #expect(figures["gateway.cpu.to-haproxy"]?.meetsBound == true)
        #expect(figures["gateway.rate.to-haproxy"]?.value == 1.5)
        #expect(figures["gateway.cpu.to-envoy"]?.meetsBound == false)
        #expect(figures["gateway.peers"]?.meetsBound == true)
    }

    @Test func `without Envoy a bound is missed`() {
        var rounds = GatewayRounds()
        rounds.add(sample(50, 15_000), of: "gateway", .inTurn)
        rounds.add(sample(100, 10_000), of: "haproxy", .inTurn)
        #expect(rounds.figures().filter { !$0.meetsBound }.map(\.name) == ["gateway.peers"])
    }

    private func sample(_ cpu: Double, _ rate: Double) -> GatewayRounds.Sample {
        GatewayRounds.Sample(cpuMicroseconds: cpu, requestsPerSecond: rate, p99Milliseconds: 5)
    }

    private static let modulus = (0..<128).map { UInt8(truncatingIfNeeded: 0xC0 ^ ($0 * 37)) }
}
