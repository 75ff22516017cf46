import CryptoPrimitives
import FoundationEssentials
import Testing

@testable import AccessTokens

/// RSA keys that can be factored (CVE-2017-15361).
@Suite struct ROCAFingerprintTests {
    /// The primes of the published detector, and how many residues powers of 65537 leave modulo each.
    static let orders: [(prime: UInt128, order: Int)] = [
        (3, 2), (5, 4), (7, 6), (11, 2), (13, 6), (17, 8), (19, 9), (23, 22), (29, 28), (31, 30), (37, 3), (53, 26),
        (61, 20), (71, 35), (73, 24), (79, 13), (97, 6), (103, 51), (107, 53), (109, 54), (127, 42), (151, 50),
        (157, 78),
    ]
    static let product = orders.reduce(UInt128(1)) { $0 * $1.prime }

    /// 65537^exponent modulo all of the primes together.
    private func power(_ exponent: Int) -> UInt128 {
        (0..<exponent).reduce(UInt128(1)) { power, _ in
            Self.product.dividingFullWidth(power.multipliedFullWidth(by: 65537)).remainder
        }
    }

    private func bytes(_ number: UInt128) -> [UInt8] {
        (0..<16).reversed().map { UInt8(truncatingIfNeeded: number >> UInt128(8 * $0)) }
    }

    @Test(arguments: [0, 1, 2, 5, 77, 1000]) func `a power of 65537 has the fingerprint, alone and with multiples`(
        exponent: Int
    ) {
        let number = power(exponent)
        for multiple: UInt128 in [0, 1, 2, 55] {
            #expect(ROCAFingerprint.isPresent(in: bytes(number + multiple * Self.product)))
        }
        #expect(ROCAFingerprint.isPresent(in: repeated(0, 240) + bytes(number)))
        // Modulo 37 the powers are 1, 10 and 26.
        #expect(!ROCAFingerprint.isPresent(in: bytes(number + 1)))
        #expect(!ROCAFingerprint.isPresent(in: bytes(number) + [0]))
    }

    @Test(arguments: orders) func `each prime refuses the residues that are no power`(prime: UInt128, order: Int) {
        // These are alike modulo all of the other primes, and have every residue modulo this one.
        let alike = (0..<prime).map { power(5) + $0 * (Self.product / prime) }
        #expect(alike.count { ROCAFingerprint.isPresent(in: bytes($0)) } == order)
    }

    @Test func `ordinary keys do not have the fingerprint`() throws {
        for _ in 0..<3 {
            let key = try SigningKey.generate(keyID: "k", algorithm: .RS256)
            let modulus = try #require(key.verificationKey.jwk?.n.flatMap { Base64URL.decode($0) })
            #expect(modulus.count == 256 && !ROCAFingerprint.isPresent(in: modulus))
        }
        for _ in 0..<2000 { #expect(!ROCAFingerprint.isPresent(in: SecureRandom.bytes(256))) }
        #expect(!ROCAFingerprint.isPresent(in: []) && !ROCAFingerprint.isPresent(in: repeated(0, 256)))
    }

    @Test func `a real key with the fingerprint neither signs nor verifies`() throws {
        let path = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Vectors/roca-2048.pem"
        let pem = try String(contentsOfFile: path, encoding: .utf8)
        let expected = KeyError.weakKey("an RSA modulus with the fingerprint of CVE-2017-15361")
        #expect(throws: expected) { try SigningKey(keyID: "k", algorithm: .RS256, privateKeyPEM: pem) }
        let modulus = try modulus(in: pem)
        #expect(throws: expected) {
            try VerificationKey(jwk: JSONWebKey(kty: "RSA", kid: "k", n: Base64URL.encode(modulus), e: "AQAB"))
        }
    }

    /// The 256 bytes behind PKCS#8's head and the key's version.
    private func modulus(in pem: String) throws -> [UInt8] {
        let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        let der = Array(try #require(Data(base64Encoded: base64)))
        #expect(der[33..<38] == [0x02, 0x82, 0x01, 0x01, 0x00])
        return Array(der[38..<294])
    }
}
