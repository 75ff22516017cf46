import AccessTokens
import CryptoPrimitives
import Testing

// Cited by Tests/Compat/statements.md for T49.

/// R-09 to R-13: the claims of tokens whose signature is right.
@Suite struct ClaimTests {
    let mint: Mint
    let now = Mint.now

    init() throws { mint = try Mint.shared.get() }

    func rejection(_ changes: KeyValuePairs<String, String?>) throws -> TokenRejection? {
        mint.rejection(try mint.token(payload: Mint.payload(changes)))
    }

    @Test func `the claims are read`() throws {
        let payload = Mint.payload([
            "role": "\"admin\"", "n": "-7", "flag": "true", "list": "[\"a\",\"b\"]", "none": "null", "half": "0.5",
            "object": "{}",
            "mixed": "[1,\"a\"]",
        ])
        let claims = try mint.verifier.verify(Array(try mint.token(payload: payload).utf8), now: now)
        #expect(
            claims
                == AccessTokenClaims(
                    issuer: Mint.issuer, audience: [Mint.audience], subject: "usr_1", issuedAt: now,
                    expiresAt: now + 3600, tokenID: "t1", sessionID: "s1", version: 2,
                    additional: [
                        "role": .string("admin"), "n": .integer(-7), "flag": .bool(true), "list": .strings(["a", "b"]),
                    ]))
    }

    @Test(
        arguments: [
            (#"{"sub":"usr_2"}"#, "usr_2", nil), (#"{"sub":"usr_2","iss":"x","act":{"sub":"usr_3"}}"#, "usr_2", nil),
            ("{}", nil, TokenRejection.missingClaim), (#"{"sub":""}"#, nil, .invalidClaim),
            (#"{"sub":7}"#, nil, .invalidClaim), (#"{"sub":"a\r\nX: y"}"#, nil, .invalidClaim),
            (#""usr_2""#, nil, nil), ("null", nil, nil),
        ] as [(String, String?, TokenRejection?)])
    func `act names the one who acts, if it is an object`(
        act: String, actor: String?, expected: TokenRejection?
    ) throws {
        let token = try mint.token(payload: Mint.payload(["act": act]))
        #expect(mint.rejection(token) == expected)
        if expected == nil { #expect(try mint.verifier.verify(Array(token.utf8), now: now).actor == actor) }
    }

    @Test func `the one who acts is signed as RFC 8693 says`() throws {
        let claims = AccessTokenClaims(
            issuer: Mint.issuer, audience: [Mint.audience + "/acting"], subject: "usr_1", issuedAt: now,
            expiresAt: now + 900, tokenID: "t", sessionID: "s", version: 1, actor: "usr_2")
        let token = Array(try AccessTokenSigner().sign(claims, with: try mint.key(.ES256)).utf8)
        let payload = String(decoding: try CompactJWS(token).unverifiedPayload(), as: UTF8.self)
        #expect(payload.contains(#""act":{"sub":"usr_2"}"#))
        #expect(throws: TokenRejection.wrongAudience) { try mint.verifier.verify(token, now: now) }
        #expect(try mint.verifier.with(audience: ActingAudience.of(Mint.audience)).verify(token, now: now) == claims)
        #expect(throws: KeyError.reservedClaim("act")) {
            var forged = claims
            forged.additional = ["act": .string("usr_3")]
            _ = try AccessTokenSigner().sign(forged, with: try mint.key(.ES256))
        }
    }

    @Test(
        arguments: [
            ("\(Mint.now + 1)", nil), ("9223372036854775807", nil), ("\(Mint.now)", .expired),
            ("\(Mint.now - 1)", .expired),
            ("-1", .expired), ("0", .expired), ("-9223372036854775808", .expired), ("1e300", .invalidClaim),
            ("-1e300", .invalidClaim), ("1e999", .malformed), ("9223372036854775808", .invalidClaim),
            ("18446744073709551617", .invalidClaim), ("\"\(Mint.now + 3600)\"", .invalidClaim), ("null", .invalidClaim),
            ("true", .invalidClaim), ("[\(Mint.now + 3600)]", .invalidClaim), ("{}", .invalidClaim),
            ("\(Mint.now + 3600).5", .invalidClaim), ("NaN", .malformed), ("Infinity", .malformed),
            ("0x7fffffff", .malformed),
            (nil, .missingClaim),
        ] as [(String?, TokenRejection?)])
    func `exp is an integer in the future`(exp: String?, expected: TokenRejection?) throws {
        #expect(try rejection(["exp": exp]) == expected)
    }

    @Test func `leeway moves exp by thirty seconds at most`() throws {
        let token = Array(try mint.token(payload: Mint.payload(["exp": "\(now)"])).utf8)
        func verifier(_ leewaySeconds: Int64) -> AccessTokenVerifier {
            AccessTokenVerifier(
                issuer: Mint.issuer, audience: Mint.audience, leewaySeconds: leewaySeconds, keys: mint.verifier.keys)
        }
        #expect(throws: Never.self) { try verifier(30).verify(token, now: now + 29) }
        #expect(throws: TokenRejection.expired) { try verifier(30).verify(token, now: now + 30) }
        #expect(throws: TokenRejection.expired) { try verifier(3600).verify(token, now: now + 30) }
        #expect(throws: TokenRejection.expired) { try verifier(-5).verify(token, now: now) }
    }

    @Test(arguments: ["nbf", "iat"])
    func `nbf and iat lie at most a minute ahead`(name: String) throws {
        #expect(try rejection([name: "\(now + 60)"]) == nil)
        #expect(try rejection([name: "\(now - 100_000)"]) == nil)
        #expect(try rejection([name: "-9223372036854775808"]) == nil)
        #expect(try rejection([name: "\(now + 61)"]) == .notYetValid)
        #expect(try rejection([name: "9223372036854775807"]) == .notYetValid)
        for value in ["1e300", "\"\(now)\"", "null", "[]", "\(now).5", "9223372036854775808"] {
            #expect(try rejection([name: value]) == .invalidClaim)
        }
    }

    @Test func `nbf may be missing, iat may not`() throws {
        #expect(try rejection(["nbf": nil]) == nil)
        #expect(try rejection(["iat": nil]) == .missingClaim)
    }

    @Test(
        arguments: [
            ("\"howru-app\"", nil), ("[\"howru-app\"]", nil), ("[\"other\",\"howru-app\"]", nil),
            ("[]", .wrongAudience),
            ("\"\"", .wrongAudience), ("[\"\"]", .wrongAudience), ("\"howru\"", .wrongAudience),
            ("\"howru-app2\"", .wrongAudience),
            ("\"HowRU-App\"", .wrongAudience), ("\" howru-app\"", .wrongAudience),
            ("\"howru-app,other\"", .wrongAudience),
            ("\"howru-app\\u0000\"", .wrongAudience), ("[\"howru-app\",1]", .invalidClaim),
            ("[[\"howru-app\"]]", .invalidClaim),
            ("{\"howru-app\":true}", .invalidClaim), ("null", .invalidClaim), ("1", .invalidClaim),
            (nil, .missingClaim),
        ] as [(String?, TokenRejection?)])
    func `aud contains us exactly`(aud: String?, expected: TokenRejection?) throws {
        #expect(try rejection(["aud": aud]) == expected)
    }

    @Test(
        arguments: [
            ("\"https://auth.example.com/\"", .wrongIssuer), ("\"https://auth.example.com/K/\"", .wrongIssuer),
            ("\"https://auth.example.com/k\"", .wrongIssuer), ("\"https://auth.example.com/\u{212A}\"", .wrongIssuer),
            ("\"https://auth.example.com/K?\"", .wrongIssuer), ("\"HTTPS://auth.example.com/K\"", .wrongIssuer),
            ("\"\"", .wrongIssuer), ("[\"https://auth.example.com/K\"]", .invalidClaim), ("null", .invalidClaim),
            ("1", .invalidClaim), (nil, .missingClaim),
        ] as [(String?, TokenRejection)])
    func `iss is ours exactly`(iss: String?, expected: TokenRejection) throws {
        #expect(try rejection(["iss": iss]) == expected)
    }

    @Test(arguments: ["sub", "jti", "sid"])
    func `sub, jti and sid are texts that fit a header`(name: String) throws {
        #expect(try rejection([name: nil]) == .missingClaim)
        let long = String(repeating: "x", count: 257)
        for value in [
            "\"\"", "null", "1", "true", "[\"x\"]", "{}", "\"a b\"", "\"a\\r\\nX: y\"", "\"a\\u0000\"", "\"é\"",
            "\"\(long)\"",
        ] {
            #expect(try rejection([name: value]) == .invalidClaim)
        }
        #expect(try rejection([name: "\"\(long.dropLast())\""]) == nil)
    }

    @Test func `ver is an integer and 0 by default`() throws {
        let token = try mint.token(payload: Mint.payload(["ver": nil]))
        #expect(try mint.verifier.verify(Array(token.utf8), now: now).version == 0)
        for value in ["\"1\"", "null", "1.5", "1e300", "[]", "true"] {
            #expect(try rejection(["ver": value]) == .invalidClaim)
        }
    }

    @Test(arguments: ["iss", "aud", "sub", "iat", "exp", "jti", "sid", "ver", "role"])
    func `a duplicate claim is refused, whichever value it has`(name: String) throws {
        let base = Mint.payload(["role": "\"user\""])
        for value in ["\"howru-app\"", "9999999999", "null"] {
            let twice = base.dropLast() + ",\"\(name)\":\(value)}"
            #expect(mint.rejection(try mint.token(payload: String(twice))) == .malformed)
        }
    }

    @Test(arguments: [
        "", "null", "[]", "1", "\"x\"", "{", "{}{}", "{\"a\":1,}", "\u{FEFF}{}", "{\"x\":[[[[[[[[0]]]]]]]]}",
    ])
    func `a payload that is no strict JSON object is refused`(payload: String) throws {
        #expect(mint.rejection(try mint.token(payload: payload)) == .malformed)
    }

    @Test func `a wrong signature is told before a wrong payload`() throws {
        let parts = try mint.token(payload: "not JSON").split(separator: ".")
        let other = try mint.token().split(separator: ".")
        #expect(mint.rejection("\(parts[0]).\(parts[1]).\(other[2])") == .badSignature)
    }
}
