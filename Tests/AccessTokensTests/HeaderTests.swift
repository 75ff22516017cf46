import AccessTokens
import CryptoPrimitives
import Testing

/// R-04 to R-09, R-14 and R-17: the header and the token's shape.
@Suite struct HeaderTests {
    let mint: Mint

    init() throws { mint = try Mint.shared.get() }

    @Test(arguments: [
        "[\"b64\"]", "[\"exp\"]", "[\"x\"]", "[]", "null", "\"exp\"", "{}", "[\"alg\"]",
        "[\"http://example.com/UNDEFINED\"]",
    ])
    func `crit is refused, whatever it names`(crit: String) throws {
        #expect(mint.rejection(try mint.token(header: Mint.header(extra: ",\"crit\":\(crit)"))) == .critical)
    }

    @Test(arguments: ["false", "true", "null", "\"false\"", "0"], ["", ",\"crit\":[\"b64\"]"])
    func `b64 is refused with and without crit`(b64: String, crit: String) throws {
        #expect(mint.rejection(try mint.token(header: Mint.header(extra: ",\"b64\":\(b64)\(crit)"))) == .critical)
    }

    @Test func `an unencoded payload is refused`() throws {
        let header = Base64URL.encode(Array(Mint.header(extra: ",\"b64\":false,\"crit\":[\"b64\"]").utf8))
        let signed = header + "." + Mint.payload()
        let signature = try mint.key(.ES256).sign(Array(signed.utf8))
        #expect(mint.rejection(signed + "." + Base64URL.encode(signature)) != nil)
    }

    @Test func `keys and addresses of keys in the header are ignored`() throws {
        let stranger = try SigningKey.generate(keyID: "key-ES256", algorithm: .ES256)
        let jwk = try #require(stranger.verificationKey.jwk)
        let members = [
            ",\"jwk\":{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\(jwk.x ?? "")\",\"y\":\"\(jwk.y ?? "")\"}",
            ",\"jku\":\"http://127.0.0.1:9/keys\"", ",\"x5u\":\"http://127.0.0.1:9/cert\"", ",\"x5c\":[\"MIIB\"]",
            ",\"x5t\":\"AAAA\",\"x5t#S256\":\"AAAA\"",
        ]
        for member in members {
            let header = Mint.header(extra: member)
            #expect(mint.rejection(try mint.token(header: header)) == nil, "our own key still signs")
            let signed = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(Mint.payload().utf8))
            let signature = Base64URL.encode(try stranger.sign(Array(signed.utf8)))
            #expect(mint.rejection(signed + "." + signature) == .badSignature)
        }
    }

    @Test(arguments: [
        "unknown", "KEY-ES256", "key-es256", "key-ES25", "key-ES2566", "key-ES256.", "default",
    ])
    func `an unknown kid is no reason to take another key`(kid: String) throws {
        let header = "{\"alg\":\"ES256\",\"kid\":\"\(kid)\",\"typ\":\"at+jwt\"}"
        #expect(mint.rejection(try mint.token(header: header)) == .unknownKey)
    }

    @Test(arguments: [
        "\"\"", "null", "1", "[\"key-ES256\"]", "{}", "\"../../etc/passwd\"", "\"/etc/passwd\"", "\"key-ES256'--\"",
        "\"' OR 1=1 --\"", "\"key-ES256\\u0000\"", "\"key-ES256\\r\\nX: y\"", "\" key-ES256\"", "\"key-ES256 \"",
        "\"\u{212A}ey-ES256\"", "\"ké\"", "\"\(String(repeating: "k", count: 129))\"",
    ])
    func `an ill-formed kid is refused before any lookup`(kid: String) throws {
        let header = "{\"alg\":\"ES256\",\"kid\":\(kid),\"typ\":\"at+jwt\"}"
        #expect(mint.rejection(try mint.token(header: header)) == .invalidKeyID)
    }

    @Test func `a token without kid is refused`() throws {
        #expect(mint.rejection(try mint.token(header: "{\"alg\":\"ES256\",\"typ\":\"at+jwt\"}")) == .invalidKeyID)
    }

    @Test func `a thousand random kids are refused`() throws {
        let token = try mint.token(header: "{\"alg\":\"ES256\",\"kid\":\"x\",\"typ\":\"at+jwt\"}").split(separator: ".")
        for _ in 0..<1000 {
            let kid = Base64URL.encode(SecureRandom.bytes(24))
            let header = "{\"alg\":\"ES256\",\"kid\":\"\(kid)\",\"typ\":\"at+jwt\"}"
            #expect(
                mint.rejection("\(Base64URL.encode(Array(header.utf8))).\(token[1]).\(token[2])") == .unknownKey)
        }
    }

    @Test(arguments: ["at+jwt", "AT+JWT", "At+Jwt", "application/at+jwt", "Application/AT+JWT"])
    func `typ is at+jwt in its spellings`(type: String) throws {
        let header = "{\"alg\":\"ES256\",\"kid\":\"key-ES256\",\"typ\":\"\(type)\"}"
        #expect(mint.rejection(try mint.token(header: header)) == nil)
    }

    @Test(arguments: [
        ",\"typ\":\"JWT\"", ",\"typ\":\"jwt\"", ",\"typ\":\"\"", ",\"typ\":null", ",\"typ\":[\"at+jwt\"]", ",\"typ\":1",
        "",
        ",\"typ\":\"at+jwt \"", ",\"typ\":\"at-jwt\"", ",\"typ\":\"rt+jwt\"", ",\"typ\":\"logout+jwt\"",
        ",\"typ\":\"secevent+jwt\"", ",\"typ\":\"text/at+jwt\"", ",\"typ\":\"application/application/at+jwt\"",
        ",\"TYP\":\"at+jwt\"", ",\"cty\":\"at+jwt\"",
    ])
    func `a token of another kind is refused`(type: String) throws {
        let header = "{\"alg\":\"ES256\",\"kid\":\"key-ES256\"\(type)}"
        #expect(mint.rejection(try mint.token(header: header)) == .wrongType)
    }

    @Test(arguments: [
        ",\"alg\":\"ES256\"", ",\"\\u0061lg\":\"ES256\"", ",\"alg\":\"none\"", ",\"kid\":\"key-ES256\"",
        ",\"typ\":\"at+jwt\"",
        ",\"x\":1,\"x\":1", ",\"x\":{\"y\":1,\"y\":2}",
    ])
    func `a duplicate name in the header is refused`(extra: String) throws {
        #expect(mint.rejection(try mint.token(header: Mint.header(extra: extra))) == .malformed)
    }

    @Test(arguments: [
        "", "null", "[]", "\"ES256\"", "1", "{", "{}x", "{\"alg\":\"ES256\",}", "\u{FEFF}{}", "{'alg':'ES256'}",
    ])
    func `a header that is no strict JSON object is refused`(header: String) throws {
        #expect(mint.rejection(try mint.token(header: header)) == .malformed)
    }

    @Test func `broken UTF-8 and deep nesting in the header are refused`() throws {
        #expect(mint.rejection(try mint.token(header: Mint.header(extra: ",\"x\":[[[[[[[0]]]]]]]"))) == nil)
        #expect(mint.rejection(try mint.token(header: Mint.header(extra: ",\"x\":[[[[[[[[0]]]]]]]]"))) == .malformed)
        let broken =
            Array("{\"alg\":\"ES256\",\"kid\":\"key-ES256\",\"typ\":\"at+jwt\",\"x\":\"".utf8) + [0xFF]
            + Array("\"}".utf8)
        let parts = try mint.token().split(separator: ".")
        #expect(mint.rejection("\(Base64URL.encode(broken)).\(parts[1]).\(parts[2])") == .malformed)
    }

    @Test func `the sizes end where they should`() throws {
        let room = 1024 - Mint.header(extra: ",\"x\":\"\"").utf8.count
        let full = Mint.header(extra: ",\"x\":\"\(String(repeating: "x", count: room))\"")
        #expect(full.utf8.count == 1024)
        #expect(mint.rejection(try mint.token(header: full)) == nil)
        #expect(mint.rejection(try mint.token(header: " " + full)) != nil)
        #expect(mint.rejection(try mint.token(header: full + String(repeating: " ", count: 64))) == .tooLarge)
        let long = Mint.payload(["x": "\"\(String(repeating: "x", count: 8192))\""])
        #expect(mint.rejection(try mint.token(payload: long)) == .tooLarge)
    }

    @Test(.timeLimit(.minutes(5))) func `dots by the ten thousand are refused unsplit`() {
        let dots = [UInt8](repeating: UInt8(ascii: "."), count: 60_000)
        for _ in 0..<1000 { #expect(mint.rejection(dots) == .tooLarge) }
        #expect(mint.rejection([UInt8](repeating: UInt8(ascii: "."), count: 8192)) == .malformed)
        #expect(mint.rejection([UInt8](repeating: UInt8(ascii: "A"), count: 60_000)) == .tooLarge)
    }
}
