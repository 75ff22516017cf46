import CryptoPrimitives
import Testing

@Suite struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func `RFC 4648 section 10, without padding`(bytes: String, text: String) {
        #expect(Base64URL.encode(Array(bytes.utf8)) == text)
        #expect(Base64URL.decode(text) == Array(bytes.utf8))
    }

    @Test func `every length and every byte survive`() {
        for count in 0..<300 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
        #expect(Base64URL.encode([0xFB, 0xEF, 0xFF]) == "--__")
    }

    @Test(arguments: [
        "A", "AAAAA", "AA==", "AA=", "AAA=", "Zm9v=", "+A", "/A", "Zm9 ", " Zm9", "Zm\n9", "Zm9v\r\n", "Zm9v.", "Zm8\0",
        "ZmÄ", "Zm9vé", "Zg==",
    ])
    func `padding, foreign characters and impossible lengths are refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `a value has one spelling`() {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for last in alphabet {
            #expect((Base64URL.decode("A\(last)") != nil) == "AQgw".contains(last))
            #expect((Base64URL.decode("AA\(last)") != nil) == "AEIMQUYcgkosw048".contains(last))
        }
    }

    @Test func `a foreign byte is refused at each place`() {
        for position in 0..<11 {
            for byte in [UInt8(ascii: "="), UInt8(ascii: "+"), 0x00, 0x20, 0x7F, 0x80, 0xFF] {
                var text = repeated(UInt8(ascii: "A"), 11)
                text[position] = byte
                #expect(Base64URL.decode(text.span) == nil)
            }
        }
    }

    @Test func `slices and spans decode as arrays do`() {
        let text = Array("..Zm9v..".utf8)
        #expect(Base64URL.decode(text[2..<6]) == Array("foo".utf8))
        #expect(Base64URL.decode(text.span.extracting(2..<6)) == Array("foo".utf8))
    }
}
