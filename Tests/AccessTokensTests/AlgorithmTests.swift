import AccessTokens
import CryptoPrimitives
import Testing

/// which algorithm counts is the key's to say, never the token's.
@Suite struct AlgorithmTests {
    let mint: Mint

    init() throws { mint = try Mint.shared.get() }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `a token of each algorithm is accepted`(algorithm: SignatureAlgorithm) throws {
        #expect(mint.rejection(try mint.token(by: algorithm)) == nil)
    }

    @Test(arguments: SignatureAlgorithm.allCases, SignatureAlgorithm.allCases)
    func `alg must be the one of the key that kid names`(named: SignatureAlgorithm, kid: SignatureAlgorithm) throws {
        let header = "{\"alg\":\"\(named.rawValue)\",\"kid\":\"key-\(kid.rawValue)\",\"typ\":\"at+jwt\"}"
        for signer in SignatureAlgorithm.allCases {
            let rejection = mint.rejection(try mint.token(header: header, by: signer))
            if named != kid {
                #expect(rejection == .algorithmMismatch)
            } else {
                #expect((rejection == nil) == (signer == kid))
            }
        }
    }

    @Test(arguments: [
        "\"none\"", "\"None\"", "\"NONE\"", "\"nOnE\"", "\"none \"", "\" none\"", "\"\"", "null", "[\"none\"]", "0",
        "false",
        "{}", "\"rs256\"", "\"es256\"", "\"Es256\"", "\"ES256 \"", "\"ES256\\u0000\"", "\"EDDSA\"", "\"RS384\"",
        "\"RS512\"",
        "\"PS256\"", "\"ES384\"", "\"ES512\"", "\"ES256K\"", "\"HS384\"", "\"HS512\"", "\"Ed448\"", "\"Ed25519\"",
        "\"RSA-OAEP\"",
        "\"dir\"", "[\"ES256\"]", "256", "{\"alg\":\"ES256\"}", "true",
    ])
    func `any other alg is refused`(alg: String) throws {
        for kid in SignatureAlgorithm.allCases {
            let header = "{\"alg\":\(alg),\"kid\":\"key-\(kid.rawValue)\",\"typ\":\"at+jwt\"}"
            let signed = try mint.token(header: header, by: kid)
            #expect(mint.rejection(signed) != nil)
            let unsigned = signed.split(separator: ".").prefix(2).joined(separator: ".") + "."
            #expect(mint.rejection(unsigned) != nil)
        }
    }

    @Test func `a token without alg is refused`() throws {
        #expect(mint.rejection(try mint.token(header: "{\"kid\":\"key-ES256\",\"typ\":\"at+jwt\"}")) == .malformed)
    }

    @Test(arguments: [SignatureAlgorithm.RS256, .ES256, .EdDSA])
    func `a public key in any form is no HMAC secret`(algorithm: SignatureAlgorithm) throws {
        let jwk = try #require(try mint.key(algorithm).verificationKey.jwk)
        for header in [
            "{\"alg\":\"HS256\",\"kid\":\"key-\(algorithm.rawValue)\",\"typ\":\"at+jwt\"}", Mint.header(.HS256),
            Mint.header(algorithm),
        ] {
            let signed =
                Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(Mint.payload().utf8))
            for secret in try PublicKeyForms(jwk).all {
                let code = HMACSHA256(key: secret).authenticate(Array(signed.utf8))
                #expect(mint.rejection(signed + "." + Base64URL.encode(code)) != nil)
            }
        }
    }

    @Test func `Ed25519 as a name is accepted only where it is configured`() throws {
        let header = "{\"alg\":\"Ed25519\",\"kid\":\"key-EdDSA\",\"typ\":\"at+jwt\"}"
        let token = Array(try mint.token(header: header, by: .EdDSA).utf8)
        #expect(mint.rejection(token) == .unsupportedAlgorithm)
        let configured = AccessTokenVerifier(
            issuer: Mint.issuer, audience: Mint.audience, keys: mint.verifier.keys, acceptsEd25519Name: true)
        #expect(throws: Never.self) { try configured.verify(token, now: Mint.now) }
        #expect(throws: Never.self) { try configured.verify(Array(try mint.token(by: .EdDSA).utf8), now: Mint.now) }
        let ed448 = "{\"alg\":\"Ed448\",\"kid\":\"key-EdDSA\",\"typ\":\"at+jwt\"}"
        #expect(throws: TokenRejection.unsupportedAlgorithm) {
            try configured.verify(Array(try mint.token(header: ed448, by: .EdDSA).utf8), now: Mint.now)
        }
    }
}
