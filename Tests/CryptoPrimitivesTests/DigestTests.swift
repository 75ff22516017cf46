import CryptoPrimitives
import Testing

// Cited by Tests/Compat/statements.md for H37.

@Suite struct DigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `SHA-256 gives the digests of FIPS 180-4`(message: String, digest: String) {
        #expect(Hex.encode(SHA256.hash(Array(message.utf8))) == digest)
    }

    @Test(arguments: HMACVector.rfc4231)
    func `HMAC gives the codes of RFC 4231`(vector: HMACVector) {
        let code = HMACSHA256(key: vector.key).authenticate(vector.message)
        #expect(Hex.encode(code).hasPrefix(vector.code))
        #expect(HMACSHA256(key: vector.key).isValid(code, for: vector.message))
    }

    @Test func `an altered, shortened, lengthened or missing code is refused`() {
        let message = Array("message".utf8)
        let key = Array("key".utf8)
        let code = HMACSHA256(key: key).authenticate(message)
        for position in code.indices {
            var altered = code
            altered[position] ^= 1
            #expect(!HMACSHA256(key: key).isValid(altered, for: message))
        }
        for other in [[], Array(code.dropLast()), code + [0], [UInt8](repeating: 0, count: 32)] {
            #expect(!HMACSHA256(key: key).isValid(other, for: message))
        }
    }

    @Test func `an empty key and an empty message have a code of their own`() {
        // HMAC-SHA-256 of nothing under nothing; a null key must not mean "the key used last".
        _ = HMACSHA256(key: [2]).authenticate([1])
        let code = "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
        #expect(Hex.encode(HMACSHA256(key: []).authenticate([])) == code)
    }

    @Test(
        arguments: [
            ([], [], true), ([1], [1], true), ([1], [2], false), ([1], [], false), ([1, 2], [1], false),
        ] as [([UInt8], [UInt8], Bool)])
    func `constant-time comparison tells equal from unequal`(left: [UInt8], right: [UInt8], areEqual: Bool) {
        #expect(constantTimeEqual(left, right) == areEqual)
    }
}

struct HMACVector: Sendable, CustomTestStringConvertible {
    let key: [UInt8]
    let message: [UInt8]
    /// Hexadecimal; test case 5 gives the first 16 bytes alone.
    let code: String

    init(_ key: [UInt8], _ message: [UInt8], _ code: String) {
        self.key = key
        self.message = message
        self.code = code
    }

    var testDescription: String { code }

    static let rfc4231 = [
        HMACVector(
            repeated(0x0B, 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        HMACVector(
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        HMACVector(
            repeated(0xAA, 20), repeated(0xDD, 50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        HMACVector(
            Array(1...25), repeated(0xCD, 50), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        HMACVector(repeated(0x0C, 20), Array("Test With Truncation".utf8), "a3b6167473100ee06e0c796c2955552b"),
        HMACVector(
            repeated(0xAA, 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        HMACVector(
            repeated(0xAA, 131),
            Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"),
    ]
}

/// `count` times `byte`.
func repeated(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }
