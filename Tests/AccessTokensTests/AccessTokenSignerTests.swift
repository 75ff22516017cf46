import AccessTokens
import CryptoPrimitives
import Testing

@Suite struct AccessTokenSignerTests {
    let mint: Mint

    init() throws { mint = try Mint.shared.get() }

    func claims(audience: [String] = [Mint.audience], additional: [String: ClaimValue] = [:]) -> AccessTokenClaims {
        AccessTokenClaims(
            issuer: Mint.issuer, audience: audience, subject: "usr_1", issuedAt: Mint.now, expiresAt: Mint.now + 60,
            tokenID: "t1", sessionID: "s1", version: 3, additional: additional)
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `what is signed verifies and reads the same`(algorithm: SignatureAlgorithm) throws {
        let claims = claims(
            audience: ["other", Mint.audience],
            additional: [
                "role": .string("user"), "phone": .string("+14155550100"), "quote": .string("\"\\\n\u{0}é😀"),
                "flag": .bool(false), "list": .strings([]), "min": .integer(.min),
            ])
        let token = try AccessTokenSigner().sign(claims, with: try mint.key(algorithm))
        #expect(try mint.verifier.verify(Array(token.utf8), now: Mint.now) == claims)
    }

    @Test func `header and claims are written as RFC 9068 has them`() throws {
        let token = try AccessTokenSigner().sign(claims(), with: try mint.key(.ES256))
        let parts = try token.split(separator: ".").map { try #require(Base64URL.decode(String($0))) }
        #expect(String(decoding: parts[0], as: UTF8.self) == #"{"alg":"ES256","kid":"key-ES256","typ":"at+jwt"}"#)
        let expected =
            #"{"iss":"https://auth.example.com/K","aud":"howru-app","sub":"usr_1","iat":1700000000,"#
            + #""exp":1700000060,"jti":"t1","sid":"s1","ver":3}"#
        #expect(String(decoding: parts[1], as: UTF8.self) == expected)
    }

    @Test(arguments: ["iss", "aud", "sub", "iat", "nbf", "exp", "jti", "sid", "ver"])
    func `an additional claim cannot replace one of ours`(name: String) throws {
        let key = try mint.key(.ES256)
        #expect(throws: KeyError.reservedClaim(name)) {
            try AccessTokenSigner().sign(claims(additional: [name: .string("x")]), with: key)
        }
    }

    @Test func `a token that we would refuse is not signed`() throws {
        let key = try mint.key(.HS256)
        #expect(throws: KeyError.tokenTooLarge) {
            try AccessTokenSigner().sign(
                claims(additional: ["x": .string(String(repeating: "x", count: 8192))]), with: key)
        }
    }

    @Test func `a token of another kind signed by the same key is no access token`() throws {
        let payload = Array(Mint.payload().utf8)
        for type in [nil, "JWT", "logout+jwt"] as [String?] {
            let token = try CompactJWS.sign(payload, type: type, with: try mint.key(.ES256))
            #expect(mint.rejection(token) == .wrongType)
            let key = try mint.key(.ES256).verificationKey
            #expect(try CompactJWS(Array(token.utf8)).payload(verifiedWith: key) == payload)
        }
    }
}
