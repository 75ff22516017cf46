import AccessTokens
import CryptoPrimitives
import Testing

/// three base64url parts in their one spelling, and no other form of a JWS.
@Suite struct ShapeTests {
    let mint: Mint
    let token: String

    init() throws {
        mint = try Mint.shared.get()
        token = try mint.token(by: .HS256)
    }

    @Test(arguments: [
        "", ".", "..", "...", "....", "a", "a.b", "a.b.c", "a.b.c.d", "a.b.c.d.e", "e30.e30.", ".e30.e30", "e30..e30",
        "{\"payload\":\"e30\",\"signatures\":[]}", "Bearer a.b.c", "null", "eyJ", "é.é.é",
    ])
    func `other texts are refused`(text: String) {
        #expect(mint.rejection(text) != nil)
    }

    @Test func `a good token with anything around it or without a part is refused`() {
        let parts = token.split(separator: ".").map(String.init)
        let shapes = [
            token + ".", "." + token, token + "=", token + " ", " " + token, token + "\n", "\t" + token, token + "\0",
            token + ".AAAA", token + ",", "\"\(token)\"", "\(parts[0]).\(parts[1])", "\(parts[0]).\(parts[1]).",
            "\(parts[0])..\(parts[2])", ".\(parts[1]).\(parts[2])", "\(parts[0])=.\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[1])=.\(parts[2])", "\(parts[1]).\(parts[0]).\(parts[2])", token + token,
            "\(parts[0]) .\(parts[1]).\(parts[2])", "\(parts[0]).\n\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[1]).\(parts[2]).\(parts[1]).\(parts[2])", token.lowercased(), token.uppercased(),
        ]
        #expect(mint.rejection(token) == nil)
        for shape in shapes { #expect(mint.rejection(shape) != nil, "\(shape)") }
    }

    @Test func `no part has a second spelling`() throws {
        // 32 bytes of signature leave two loose bits in the last digit.
        let last = try #require(token.last)
        for other in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" where other != last {
            #expect(mint.rejection(token.dropLast() + String(other)) != nil)
        }
        for algorithm in SignatureAlgorithm.allCases {
            let standard = try mint.token(by: algorithm).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
            if standard.contains("+") || standard.contains("/") { #expect(mint.rejection(String(standard)) != nil) }
        }
    }

    @Test func `a payload that is signed in a second spelling is refused`() throws {
        let header = Base64URL.encode(Array(Mint.header().utf8))
        for payload in [Base64URL.encode(Array(Mint.payload().utf8)) + "=", "e31", "e3 0", ""] {
            let signed = header + "." + payload
            let signature = Base64URL.encode(try mint.key(.ES256).sign(Array(signed.utf8)))
            #expect(mint.rejection(signed + "." + signature) == .malformed)
        }
    }

    @Test func `one altered character anywhere is refused`() throws {
        for algorithm in SignatureAlgorithm.allCases {
            let bytes = Array(try mint.token(by: algorithm).utf8)
            for position in stride(from: 0, to: bytes.count, by: 3) {
                var altered = bytes
                altered[position] = altered[position] == UInt8(ascii: "Q") ? UInt8(ascii: "w") : UInt8(ascii: "Q")
                #expect(mint.rejection(altered) != nil, "\(algorithm) at \(position)")
            }
        }
    }

    @Test func `random bytes end no process`() {
        for count in 0..<2000 { #expect(mint.rejection(SecureRandom.bytes(count % 700)) != nil) }
    }
}
