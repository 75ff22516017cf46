import Foundation
import TestSupport
import Testing

@testable import TLSPairs

/// The contents of the folder of certificates, read and judged.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TLSPairTests {
    private static var now: Int64 { Int64(Date().timeIntervalSince1970) }

    @Test func `a pair is read with its names, its time and the pin that openssl counts`() async throws {
        try await TestPairs.run { authority in
            let issued = try await authority.issue("edge", .init(names: ["Api.Example", "*.example", "127.0.0.1"]))
            let pair = try TestPairs.pair(issued)
            #expect(pair.name == "edge")
            #expect(pair.names == ["api.example", "*.example", "127.0.0.1"])
            #expect(pair.pin.description == issued.pin)
            #expect(SPKIPin(issued.pin) == pair.pin)
            #expect(try SPKIPin(ofKeyPEM: TestPairs.bytes(issued.key)) == pair.pin)
            #expect(abs(pair.notAfter - Self.now - 30 * 86_400) < 120)
            #expect(pair.problem(pins: [], now: Self.now) == nil)
            #expect(pair.fit("api.example") == .name && pair.fit("b.example") == .wildcard)
            #expect(pair.covers(host: "127.0.0.1"))
            for foreign in ["a.b.example", "example", ".example", "xexample", "", "*.example", "*"] {
                #expect(pair.fit(foreign) == nil, "\(foreign)")
            }
        }
    }

    @Test func `addresses are read in the one spelling that they are asked for in`() async throws {
        try await TestPairs.run { authority in
            let names = ["0:0:0:0:0:0:0:1", "2001:DB8:0:0:1::1", "192.0.2.1"]
            let pair = try TestPairs.pair(try await authority.issue("edge", .init(names: names)))
            #expect(pair.names == ["::1", "2001:db8::1:0:0:1", "192.0.2.1"])
            #expect(pair.covers(host: "::1") && !pair.covers(host: "::2") && !pair.covers(host: "[::1]"))
        }
    }

    @Test func `a chain is read in its order, and valid only as long as all of it`() async throws {
        try await TestPairs.run { authority in
            let issued = try await authority.intermediate("sub").issue("leaf", .init(lifetimeSeconds: 400 * 86_400))
            let pair = try TestPairs.pair(issued)
            #expect(pair.chain.count == 2)
            #expect(pair.notAfter < Self.now + 60 * 86_400)
            let blocks = TestPairs.blocks(try TestPairs.bytes(issued.certificate))
            let turned = Array(blocks.reversed().joined())
            #expect(throws: TLSPairProblem.self) {
                try TLSPair(name: "leaf", certificatePEM: turned, keyPEM: TestPairs.bytes(issued.key))
            }
            let other = try await authority.issue("other")
            let foreign = Array(blocks[0]) + (try TestPairs.bytes(other.certificate))
            #expect(throws: TLSPairProblem.brokenChain) {
                try TLSPair(name: "leaf", certificatePEM: foreign, keyPEM: TestPairs.bytes(issued.key))
            }
        }
    }

    @Test func `an expired chain, one that has not begun and a key that is not pinned are told apart`() async throws {
        try await TestPairs.run { authority in
            let expired = try TestPairs.pair(try await authority.issue("a", .expired))
            #expect(expired.problem(pins: [], now: Self.now) == .expired(expired.notAfter))
            #expect(expired.isExpired(now: Self.now))
            let coming = try TestPairs.pair(try await authority.issue("b", .init(beginsAfterSeconds: 3600)))
            #expect(coming.problem(pins: [], now: Self.now) == .notYetValid(coming.notBefore))
            let good = try TestPairs.pair(try await authority.issue("c"))
            #expect(good.problem(pins: [expired.pin, coming.pin], now: Self.now) == .unpinned(good.pin))
            #expect(good.problem(pins: [expired.pin, good.pin], now: Self.now) == nil)
        }
    }

    @Test(arguments: [TestCertificate.Request.Key.rsa1024, .p224])
    func `a weak key is refused`(key: TestCertificate.Request.Key) async throws {
        try await TestPairs.run { authority in
            let issued = try await authority.issue("weak", .init(key: key))
            #expect { try TestPairs.pair(issued) } throws: { ($0 as? TLSPairProblem)?.code == "weak" }
        }
    }

    @Test(arguments: [
        (TestCertificate.Request.Key.p521, "unsupported curve P-521"), (.secp256k1, "unsupported curve secp256k1"),
        (.ed25519, "unsupported kind of key"),
    ])
    func `a strong key that not all clients know is called unsupported, not weak`(
        key: TestCertificate.Request.Key, says: String
    ) async throws {
        try await TestPairs.run { authority in
            let issued = try await authority.issue("unsupported", .init(key: key))
            let problem = #expect(throws: TLSPairProblem.self) { try TestPairs.pair(issued) }
            #expect(problem?.code == "unsupported_key" && problem?.description.contains(says) == true)
        }
    }

    @Test(arguments: [TestCertificate.Request.Key.rsa2048, .p384])
    func `a strong key is taken`(key: TestCertificate.Request.Key) async throws {
        try await TestPairs.run { authority in
            let strong = try await authority.issue("strong", .init(key: key))
            #expect(try TestPairs.pair(strong).chain.count == 1)
        }
    }

    @Test func `a signature by SHA-1 is refused`() async throws {
        try await TestPairs.run { authority in
            let issued = try await authority.issue("weak", .init(digest: "sha1"))
            #expect { try TestPairs.pair(issued) } throws: { ($0 as? TLSPairProblem)?.code == "weak" }
        }
    }

    @Test func `a foreign key is refused`() async throws {
        try await TestPairs.run { authority in
            let (first, second) = (try await authority.issue("first"), try await authority.issue("second"))
            #expect(throws: TLSPairProblem.keyMismatch) {
                try TLSPair(
                    name: "x", certificatePEM: TestPairs.bytes(first.certificate), keyPEM: TestPairs.bytes(second.key))
            }
        }
    }

    @Test func `whatever is half written is refused, at every length`() async throws {
        try await TestPairs.run { authority in
            let issued = try await authority.intermediate("sub").issue("leaf")
            let (chain, key) = (try TestPairs.bytes(issued.certificate), try TestPairs.bytes(issued.key))
            let first = TestPairs.blocks(chain)[0].count
            for count in stride(from: 0, to: chain.count - 2, by: 13) where abs(count - first) > 1 {
                #expect(throws: TLSPairProblem.malformed(file: "x.crt"), "\(count)") {
                    try TLSPair(name: "x", certificatePEM: Array(chain.prefix(count)), keyPEM: key)
                }
            }
            for count in stride(from: 0, to: key.count - 2, by: 7) {
                #expect(throws: TLSPairProblem.malformed(file: "x.key"), "\(count)") {
                    try TLSPair(name: "x", certificatePEM: chain, keyPEM: Array(key.prefix(count)))
                }
            }
        }
    }

    @Test func `an encrypted key, a request and noise are refused`() async throws {
        try await TestPairs.run { authority in
            let issued = try await authority.issue("edge")
            let encrypted = try await Shell.run(
                "openssl pkcs8 -topk8 -in \"$KEY\" -passout pass:secret", in: "/", environment: ["KEY": issued.key])
            let chain = try TestPairs.bytes(issued.certificate)
            for text in [
                encrypted.output, "", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "\u{0}",
            ] {
                #expect(throws: TLSPairProblem.malformed(file: "x.key")) {
                    try TLSPair(name: "x", certificatePEM: chain, keyPEM: Array(text.utf8))
                }
            }
            let noise = Array("-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n".utf8)
            #expect(throws: TLSPairProblem.malformed(file: "x.crt")) {
                try TLSPair(name: "x", certificatePEM: chain + noise, keyPEM: TestPairs.bytes(issued.key))
            }
        }
    }

    @Test func `no problem shows a part of the key`() async throws {
        try await TestPairs.run { authority in
            let issued = try await authority.issue("edge")
            let key = String(decoding: try TestPairs.bytes(issued.key), as: UTF8.self)
            let secret = try #require(key.split(separator: "\n").dropFirst().first)
            for problem in [TLSPairProblem.keyMismatch, .malformed(file: "edge.key"), .exposedKey, .brokenChain] {
                #expect(!problem.description.contains(secret))
            }
        }
    }

    @Test(arguments: [
        "", "x", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=",
        " 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    ])
    func `no other spelling is a pin`(text: String) {
        #expect(SPKIPin(text) == nil)
    }
}
