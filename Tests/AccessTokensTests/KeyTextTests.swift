import CryptoPrimitives
import Testing

@testable import AccessTokens

/// for a key in a JWK of its own.
@Suite struct KeyTextTests {
    let mint: Mint

    init() throws { mint = try Mint.shared.get() }

    /// The members of the JWK of `algorithm`'s key, with `change` made to them.
    func text(_ algorithm: SignatureAlgorithm, _ change: String = "") throws -> String {
        let key = try mint.key(algorithm)
        guard let jwk = key.verificationKey.jwk else {
            return "{\"kty\":\"oct\",\"k\":\"\(Base64URL.encode(key.privateKeyDER))\"\(change)}"
        }
        let members = [("kty", jwk.kty), ("n", jwk.n), ("e", jwk.e), ("crv", jwk.crv), ("x", jwk.x), ("y", jwk.y)]
        return "{"
            + members.compactMap { name, value in value.map { "\"\(name)\":\"\($0)\"" } }.joined(separator: ",")
            + change + "}"
    }

    func key(_ text: String) throws -> VerificationKey { try VerificationKey(jwkText: Array(text.utf8)) }

    func error(_ text: String) -> KeyError? {
        do {
            _ = try VerificationKey(jwkText: Array(text.utf8))
            return nil
        } catch { return error }
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `a key's type decides its algorithm, and alg may only agree`(algorithm: SignatureAlgorithm) throws {
        let signature = try mint.key(algorithm).sign([1])
        for change in [
            "", ",\"alg\":\"\(algorithm.rawValue)\"", ",\"use\":\"sig\"", ",\"key_ops\":[\"verify\"]",
            ",\"key_ops\":[\"sign\",\"verify\"]", ",\"kid\":\"a@b c\"", ",\"kid\":\"\"", ",\"x5t\":\"AAAA\"",
            ",\"d\":\"AAAA\",\"key_ops\":[\"sign\"]",
        ] where algorithm != .HS256 || !change.contains("\"d\"") {
            let key = try key(try text(algorithm, change))
            #expect(key.algorithm == algorithm)
            #expect(key.isValid(signature: signature, for: [1]), "\(change)")
        }
        for other in ["RS512", "PS256", "ES384", "Ed448", "Ed25519", "HS512", "none", "", "A256GCM"] {
            #expect(error(try text(algorithm, ",\"alg\":\"\(other)\"")) == .unsupportedKey)
        }
        for other in SignatureAlgorithm.allCases where other != algorithm {
            #expect(error(try text(algorithm, ",\"alg\":\"\(other.rawValue)\"")) == .unsupportedKey)
        }
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `a key for another use and an ill-typed one are refused`(algorithm: SignatureAlgorithm) throws {
        for change in [",\"use\":\"enc\"", ",\"key_ops\":[]", ",\"key_ops\":[\"encrypt\"]", ",\"key_ops\":[\"sign\"]"] {
            #expect(error(try text(algorithm, change)) == .unsupportedKey, "\(change)")
        }
        for change in [
            ",\"alg\":null", ",\"alg\":[\"\(algorithm.rawValue)\"]", ",\"use\":1", ",\"key_ops\":\"verify\"",
            ",\"key_ops\":[\"verify\",\"verify\"]", ",\"key_ops\":[1]", ",\"kty\":\"RSA\"",
        ] {
            #expect(error(try text(algorithm, change)) == .malformedKey, "\(change)")
        }
    }

    @Test(arguments: [
        "", "null", "[]", "{}", "{\"kty\":1}", "{\"keys\":[]}", "{\"kty\":\"oct\"}", "{\"kty\":\"oct\",\"k\":1}",
        "{\"kty\":\"oct\",\"k\":\"AA==\"}", "{\"kty\":\"RSA\"}", "{\"kty\":\"oct\",\"k\":\"AA\",}",
        "-----BEGIN PUBLIC KEY-----",
        "{\"kty\":\"OKP\",\"crv\":\"Ed25519\"}", String(repeating: " ", count: 20_000),
    ])
    func `what is no key is refused`(text: String) {
        #expect(error(text) == .malformedKey || error(text) == .unsupportedKey)
    }

    @Test(arguments: [SignatureAlgorithm.RS256, .ES256, .EdDSA])
    func `a public key is no HMAC secret`(algorithm: SignatureAlgorithm) throws {
        let forms = try PublicKeyForms(try #require(try mint.key(algorithm).verificationKey.jwk))
        let expected = KeyError.weakKey("a public key as an HS256 secret")
        for secret in [forms.pem, [0x0A] + forms.pem, forms.der, forms.json] {
            #expect(error("{\"kty\":\"oct\",\"k\":\"\(Base64URL.encode(secret))\"}") == expected)
            #expect(throws: expected) { try SigningKey(keyID: "k", algorithm: .HS256, privateKeyDER: secret) }
        }
    }

    @Test func `Ed25519 keys have one spelling`() {
        for low: UInt8 in 0xED...0xFF {
            for sign: UInt8 in [0x7F, 0xFF] {
                let point = [low] + repeated(0xFF, 30) + [sign]
                let text = "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"\(Base64URL.encode(point))\"}"
                let isSmall = low == 0xED || low == 0xEE
                #expect(error(text) == (isSmall ? .weakKey("a point of small order") : .malformedKey))
            }
        }
        #expect(Ed25519Point.isCanonical([0xEC] + repeated(0xFF, 30) + [0xFF]))
        #expect(Ed25519Point.isCanonical(repeated(0xFF, 31) + [0x7E]))
        #expect(Ed25519Point.isCanonical([0xFF, 0xFE] + repeated(0xFF, 29) + [0x7F]))
        #expect(!Ed25519Point.isCanonical(repeated(0, 31)))
    }

    @Test func `half of all y have a point, the others are no key`() throws {
        var count = 0
        for _ in 0..<400 {
            let point = SecureRandom.bytes(31) + [SecureRandom.bytes(1)[0] & 0xBF]
            let isPoint = Ed25519Point.isOnCurve(point)
            count += isPoint ? 1 : 0
            let text = "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"\(Base64URL.encode(point))\"}"
            #expect(error(text) == (isPoint ? nil : .malformedKey))
        }
        // Ten standard deviations.
        #expect((100...300).contains(count))
        #expect(!Ed25519Point.isOnCurve([2] + repeated(0, 31)) && Ed25519Point.isOnCurve([4] + repeated(0, 31)))
        for _ in 0..<50 {
            let key = try SigningKey.generate(keyID: "k", algorithm: .EdDSA).verificationKey
            let point = try #require(key.jwk?.x.flatMap { Base64URL.decode($0) })
            #expect(Ed25519Point.isOnCurve(point))
        }
    }

    @Test func `the key pairs of documents do not sign`() throws {
        let known: [(algorithm: SignatureAlgorithm, der: String, name: String)] = [
            (
                .EdDSA, "302e020100300506032b657004220420" + hex("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"),
                "RFC 8037 A.1"
            ),
            (
                .ES256,
                "3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420"
                    + hex("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"), "RFC 7515 A.3"
            ),
        ]
        for (algorithm, der, name) in known {
            let bytes = try #require(Hex.decode(der))
            #expect(throws: KeyError.weakKey("a key that stands in public documents"), "\(name)") {
                try SigningKey(keyID: "k", algorithm: algorithm, privateKeyDER: bytes)
            }
        }
    }

    private func hex(_ text: String) -> String { Hex.encode(Base64URL.decode(text) ?? []) }

    @Test func `a thumbprint is RFC 7638's`() {
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiF"
            + "V4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9"
            + "c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1"
            + "jF44-csFCur-kEgU8awapJzKnqDKgw"
        let key = JSONWebKey(kty: "RSA", kid: "2011-04-29", alg: "RS256", n: modulus, e: "AQAB")
        #expect(key.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }
}
