import CryptoPrimitives
import FoundationEssentials
import Testing

@testable import AccessTokens

/// R-23 and R-24: what is published, and which keys of others are taken.
@Suite struct JSONWebKeyTests {
    let mint: Mint

    init() throws { mint = try Mint.shared.get() }

    func jwk(_ algorithm: SignatureAlgorithm) throws -> JSONWebKey {
        try #require(try mint.key(algorithm).verificationKey.jwk)
    }

    @Test(arguments: [SignatureAlgorithm.RS256, .ES256, .EdDSA])
    func `a published key checks signatures and holds public members only`(algorithm: SignatureAlgorithm) throws {
        let published = try jwk(algorithm)
        #expect(published.kid == "key-\(algorithm.rawValue)")
        #expect(published.alg == algorithm.rawValue)
        #expect(published.use == "sig")
        let data = try JSONEncoder().encode(JSONWebKeySet(keys: [published]))
        let read = try JSONDecoder().decode(JSONWebKeySet.self, from: data)
        let key = try #require(try VerificationKeySet(read)["key-\(algorithm.rawValue)"])
        #expect(key.isValid(signature: try mint.key(algorithm).sign([1]), for: [1]))
        #expect(key.jwk == published)
        let text = String(decoding: data, as: UTF8.self)
        for member in ["d", "p", "q", "dp", "dq", "qi", "k", "oth"] { #expect(!text.contains("\"\(member)\":")) }
    }

    @Test func `an HS256 key is never published`() throws {
        #expect(try mint.key(.HS256).verificationKey.jwk == nil)
    }

    @Test func `private members of a foreign key are dropped`() throws {
        let text =
            #"{"kty":"OKP","crv":"Ed25519","kid":"k","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","d":"nWGxne"}"#
        let key = try JSONDecoder().decode(JSONWebKey.self, from: Data(text.utf8))
        let again = String(decoding: try JSONEncoder().encode(key), as: UTF8.self)
        #expect(!again.contains("nWGxne"))
    }

    @Test func `weak RSA keys are refused`() throws {
        let good = try jwk(.RS256)
        let modulus = try #require(good.n.flatMap { Base64URL.decode($0) })
        func refusal(n: [UInt8], e: [UInt8]) -> KeyError? {
            do {
                _ = try VerificationKey(
                    jwk: JSONWebKey(kty: "RSA", kid: "k", n: Base64URL.encode(n), e: Base64URL.encode(e)))
                return nil
            } catch { return error }
        }
        #expect(refusal(n: modulus, e: [1, 0, 1]) == nil)
        #expect(refusal(n: modulus, e: [3]) == nil)
        for e: [UInt8] in [[], [0], [1], [0, 1], [2], [4], [1, 0, 0]] { #expect(refusal(n: modulus, e: e) != nil) }
        #expect(refusal(n: modulus, e: repeated(0xFF, 9)) != nil)
        let short = [0x80] + repeated(1, 127)
        let almost = [0x7F] + repeated(0xFF, 255)
        for n in [[], [0], [1], short, almost, repeated(0, 128) + short] {
            #expect(refusal(n: n, e: [1, 0, 1]) != nil)
        }
        #expect(refusal(n: modulus.dropLast() + [0], e: [1, 0, 1]) == .weakKey("an even RSA modulus"))
        #expect(refusal(n: repeated(0xFF, 2048), e: [1, 0, 1]) != nil)
    }

    @Test func `points off the curve are refused`() throws {
        let good = try jwk(.ES256)
        let x = try #require(good.x.flatMap { Base64URL.decode($0) })
        var y = try #require(good.y.flatMap { Base64URL.decode($0) })
        func refusal(_ x: [UInt8], _ y: [UInt8]) -> KeyError? {
            do {
                _ = try VerificationKey(
                    jwk: JSONWebKey(kty: "EC", kid: "k", crv: "P-256", x: Base64URL.encode(x), y: Base64URL.encode(y)))
                return nil
            } catch { return error }
        }
        #expect(refusal(x, y) == nil)
        #expect(refusal(x, x) != nil)
        #expect(refusal(repeated(0, 32), repeated(0, 32)) != nil)
        #expect(refusal(repeated(0xFF, 32), repeated(0xFF, 32)) != nil)
        #expect(refusal([0] + x, y) != nil)
        #expect(refusal(x.dropLast(), y) != nil)
        y[31] ^= 1
        #expect(refusal(x, y) != nil)
    }

    @Test func `Ed25519 points of small order are refused`() throws {
        let one: [UInt8] = [1] + repeated(0, 31)
        let minusOne: [UInt8] = [0xEC] + repeated(0xFF, 30) + [0x7F]
        for point in [repeated(0, 32), one, minusOne, one.dropLast() + [0x80], [0xEE] + repeated(0xFF, 30) + [0xFF]] {
            #expect(throws: KeyError.weakKey("a point of small order")) {
                try VerificationKey(
                    jwk: JSONWebKey(kty: "OKP", kid: "k", crv: "Ed25519", x: Base64URL.encode(Array(point))))
            }
        }
    }

    @Test func `foreign types, curves, uses and algorithms are refused`() throws {
        let ec = try jwk(.ES256)
        let rsa = try jwk(.RS256)
        let ed = try jwk(.EdDSA)
        func changed(_ key: JSONWebKey, _ change: (inout JSONWebKey) -> Void) -> JSONWebKey {
            var key = key
            change(&key)
            return key
        }
        let refused = [
            changed(ec) { $0.kty = "oct" }, changed(ec) { $0.kty = "RSA" }, changed(ec) { $0.kty = "ec" },
            changed(ec) { $0.crv = "P-384" }, changed(ec) { $0.crv = nil }, changed(ec) { $0.crv = "secp256k1" },
            changed(ec) { $0.alg = "ES384" }, changed(ec) { $0.alg = "HS256" }, changed(ec) { $0.use = "enc" },
            changed(ec) { $0.y = nil }, changed(ec) { $0.x = "" }, changed(ec) { $0.x = "=" },
            changed(ec) { $0.kid = "a b" },
            changed(ec) { $0.kid = "" }, changed(rsa) { $0.alg = "PS256" }, changed(rsa) { $0.alg = "HS256" },
            changed(rsa) { $0.n = nil }, changed(rsa) { $0.e = nil }, changed(rsa) { $0.n = "AA==" },
            changed(rsa) { $0.n = String(repeating: "_", count: 100_000) }, changed(ed) { $0.crv = "X25519" },
            changed(ed) { $0.crv = "Ed448" }, changed(ed) { $0.alg = "ES256" }, changed(ed) { $0.x = "AAAA" },
        ]
        for jwk in refused { #expect(throws: KeyError.self, "\(jwk)") { try VerificationKey(jwk: jwk) } }
    }

    @Test func `a key set refuses duplicate, missing and too many kids`() throws {
        let ec = try jwk(.ES256)
        var rsa = try jwk(.RS256)
        rsa.kid = ec.kid
        #expect(throws: KeyError.duplicateKeyID("key-ES256")) {
            try VerificationKeySet(JSONWebKeySet(keys: [ec, rsa]))
        }
        rsa.kid = nil
        #expect(throws: KeyError.invalidKeyID) { try VerificationKeySet(JSONWebKeySet(keys: [ec, rsa])) }
        let many = (0...TokenLimits.keyCountMax).map { number in
            var key = ec
            key.kid = "k\(number)"
            return key
        }
        #expect(throws: KeyError.tooManyKeys(maximum: TokenLimits.keyCountMax)) {
            try VerificationKeySet(JSONWebKeySet(keys: many))
        }
        #expect(try VerificationKeySet([]).isEmpty)
    }

    @Test func `the secrets of a ring all verify`() throws {
        let ring = try KeyRing(
            parsing: "k2 3f9a1c5e7b2d4860a1b3c5d7e9f01234\nk1 9a1c5e7b2d4860a1b3c5d7e9f012343f")
        let keys = try VerificationKeySet(JSONWebKeySet(keys: [try jwk(.ES256)]), secrets: ring)
        #expect(keys.keyIDs == ["k1", "k2", "key-ES256"])
        for key in ring.all {
            let code = HMACSHA256(key: key.secret).authenticate([1])
            #expect(keys[key.id]?.isValid(signature: code, for: [1]) == true)
        }
        var clash = try jwk(.ES256)
        clash.kid = "k1"
        #expect(throws: KeyError.duplicateKeyID("k1")) {
            try VerificationKeySet(JSONWebKeySet(keys: [clash]), secrets: ring)
        }
    }
}
