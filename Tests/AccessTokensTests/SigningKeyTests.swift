import AccessTokens
import CryptoPrimitives
import Testing

@Suite struct SigningKeyTests {
    let mint: Mint
    let message = Array("message".utf8)

    init() throws { mint = try Mint.shared.get() }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `a key survives storage`(algorithm: SignatureAlgorithm) throws {
        let key = try mint.key(algorithm)
        let stored = try SigningKey(keyID: key.keyID, algorithm: algorithm, privateKeyDER: key.privateKeyDER)
        #expect(stored.privateKeyDER == key.privateKeyDER)
        #expect(stored.verificationKey.jwk == key.verificationKey.jwk)
        #expect(key.verificationKey.isValid(signature: try stored.sign(message), for: message))
    }

    @Test(arguments: SignatureAlgorithm.allCases, SignatureAlgorithm.allCases)
    func `a key is of its algorithm's type`(algorithm: SignatureAlgorithm, other: SignatureAlgorithm) throws {
        guard algorithm != other, other != .HS256 else { return }
        let der = try mint.key(algorithm).privateKeyDER
        #expect(throws: KeyError.self) { try SigningKey(keyID: "k", algorithm: other, privateKeyDER: der) }
    }

    @Test(arguments: [SignatureAlgorithm.RS256, .ES256, .EdDSA])
    func `cut, lengthened and altered DER is refused or another key`(algorithm: SignatureAlgorithm) throws {
        let der = try mint.key(algorithm).privateKeyDER
        for bad in [
            [], Array(der.dropLast()), der + [0], Array(der.dropFirst()), [UInt8](repeating: 0x30, count: 20_000),
        ] {
            #expect(throws: KeyError.malformedKey) {
                try SigningKey(keyID: "k", algorithm: algorithm, privateKeyDER: bad)
            }
        }
    }

    @Test(arguments: [(PEM.p256, SignatureAlgorithm.ES256), (PEM.p256Traditional, .ES256), (PEM.ed25519, .EdDSA)])
    func `PEM files of OpenSSL are read`(pem: String, algorithm: SignatureAlgorithm) throws {
        let key = try SigningKey(keyID: "k", algorithm: algorithm, privateKeyPEM: pem)
        #expect(key.verificationKey.isValid(signature: try key.sign(message), for: message))
        #expect(throws: KeyError.wrongKeyType(.RS256)) {
            try SigningKey(keyID: "k", algorithm: .RS256, privateKeyPEM: pem)
        }
        #expect(throws: KeyError.wrongKeyType(.HS256)) {
            try SigningKey(keyID: "k", algorithm: .HS256, privateKeyPEM: pem)
        }
    }

    @Test(arguments: [
        (PEM.rsa1024, KeyError.weakKey("RSA with fewer than 2048 bits")), (PEM.p384, .unsupportedKey),
        (PEM.secp256k1, .unsupportedKey), (PEM.ed448, .unsupportedKey), (PEM.x25519, .unsupportedKey),
        (PEM.p256Encrypted, .malformedKey), (PEM.p256EncryptedTraditional, .malformedKey),
        (PEM.p256Public, .malformedKey),
        ("", .malformedKey), ("no key", .malformedKey), (String(repeating: "-", count: 20_000), .malformedKey),
    ])
    func `weak, foreign, encrypted and public keys are refused`(pem: String, error: KeyError) {
        for algorithm in [SignatureAlgorithm.RS256, .ES256, .EdDSA] {
            #expect(throws: error) { try SigningKey(keyID: "k", algorithm: algorithm, privateKeyPEM: pem) }
        }
    }

    @Test(arguments: [0, 1, 16, 31]) func `an HS256 secret has 32 bytes at least`(byteCount: Int) {
        let secret = [UInt8](repeating: 7, count: byteCount)
        #expect(throws: KeyError.weakKey("an HS256 secret of fewer than 32 bytes")) {
            try SigningKey(keyID: "k", algorithm: .HS256, privateKeyDER: secret)
        }
        #expect(throws: KeyError.self) { try VerificationKey(keyID: "k", secret: secret) }
    }

    @Test(arguments: ["", "a b", "a/b", "é", "a\n", "\u{212A}", String(repeating: "k", count: 129)])
    func `a kid has its alphabet and length`(kid: String) {
        for algorithm in [SignatureAlgorithm.ES256, .HS256] {
            #expect(throws: KeyError.invalidKeyID) { try SigningKey.generate(keyID: kid, algorithm: algorithm) }
        }
    }

    @Test func `generated keys differ`() throws {
        for algorithm in [SignatureAlgorithm.ES256, .EdDSA, .HS256] {
            let first = try SigningKey.generate(keyID: "k", algorithm: algorithm)
            let second = try SigningKey.generate(keyID: "k", algorithm: algorithm)
            #expect(first.privateKeyDER != second.privateKeyDER)
        }
    }
}
