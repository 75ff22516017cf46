import CryptoPrimitives
import Testing

@testable import AccessTokens

/// a signature has its one form.
@Suite struct SignatureFormTests {
    let mint: Mint
    let message = Array("message".utf8)

    init() throws { mint = try Mint.shared.get() }

    /// n of P-256.
    static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    @Test func `ES256 signatures are 64 bytes, never DER`() throws {
        let key = try mint.key(.ES256)
        for _ in 0..<200 {
            let raw = try key.sign(message)
            #expect(raw.count == 64)
            #expect(key.verificationKey.isValid(signature: raw, for: message))
            let der = try #require(ECDSASignature.der(raw: raw))
            #expect(ECDSASignature.raw(der: der) == raw)
            #expect(!key.verificationKey.isValid(signature: der, for: message))
        }
    }

    @Test func `ES256 signatures out of length or range are refused`() throws {
        let key = try mint.key(.ES256)
        let raw = try key.sign(message)
        let zero = repeated(0, 32)
        let r = Array(raw.prefix(32))
        let s = Array(raw.suffix(32))
        let above = Array(Self.order.dropLast()) + [0x52]
        let bad = [
            [], Array(raw.dropLast()), raw + [0], [0] + raw, zero + zero, zero + s, r + zero, Self.order + s,
            r + Self.order, above + s, repeated(0xFF, 64), s + r, raw + raw, repeated(0, 65), [0] + r + [0] + s,
        ]
        for signature in bad { #expect(!key.verificationKey.isValid(signature: signature, for: message)) }
        #expect(ECDSASignature.der(raw: Self.order + s) == nil)
        #expect(ECDSASignature.der(raw: r + zero) == nil)
        #expect(ECDSASignature.der(raw: (Self.order.dropLast() + [0x50]) + s) != nil)
    }

    @Test func `small numbers keep their leading zeros`() throws {
        let small = repeated(0, 31) + [1] + repeated(0, 31) + [0x80]
        #expect(ECDSASignature.der(raw: small) == [0x30, 7, 2, 1, 1, 2, 2, 0, 0x80])
        #expect(ECDSASignature.raw(der: [0x30, 7, 2, 1, 1, 2, 2, 0, 0x80]) == small)
    }

    @Test(
        arguments: [
            [], [0x30], [0x30, 0], [0x30, 3, 2, 1, 1], [0x30, 6, 2, 1, 1, 2, 2, 1], [0x31, 6, 2, 1, 1, 2, 1, 1],
            [0x30, 6, 2, 1, 1, 3, 1, 1], [0x30, 8, 2, 1, 1, 2, 1, 1, 0, 0], [0x30, 6, 2, 0xFF, 1, 2, 1, 1],
            [0x30, 0x81, 6, 2, 1, 1, 2, 1, 1],
        ] as [[UInt8]])
    func `other DER is no signature`(der: [UInt8]) {
        #expect(ECDSASignature.raw(der: der) == nil)
    }

    @Test func `Ed25519 refuses S at or above the group order`() throws {
        let key = try mint.key(.EdDSA)
        let order: [UInt8] =
            [0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14]
            + repeated(0, 15) + [0x10]
        for _ in 0..<50 {
            let signature = try key.sign(message)
            #expect(signature.count == 64)
            #expect(key.verificationKey.isValid(signature: signature, for: message))
            var respelled = signature
            var carry = 0
            for index in 0..<32 {
                carry += Int(signature[32 + index]) + Int(order[index])
                respelled[32 + index] = UInt8(truncatingIfNeeded: carry)
                carry >>= 8
            }
            #expect(!key.verificationKey.isValid(signature: respelled, for: message))
            #expect(!Ed25519Signature.isAcceptable(respelled))
        }
        let r = [4] + repeated(0, 31)
        #expect(!Ed25519Signature.isAcceptable(r + order))
        #expect(Ed25519Signature.isAcceptable(r + [0xEC] + order.dropFirst()))
        #expect(Ed25519Signature.isAcceptable(r + repeated(0, 32)))
    }

    @Test func `Ed25519 refuses an R of small order and one in a second spelling`() {
        let s = [1] + repeated(0, 31)
        let maximum = repeated(0xFF, 30)
        for sign: UInt8 in [0, 0x80] {
            for r in [repeated(0, 31) + [sign], [1] + repeated(0, 30) + [sign], [0xEC] + maximum + [0x7F | sign]] {
                #expect(!Ed25519Signature.isAcceptable(r + s), "small order")
            }
            for low: UInt8 in 0xED...0xFF {
                #expect(!Ed25519Signature.isAcceptable([low] + maximum + [0x7F | sign] + s), "y of p or more")
            }
        }
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `a signature of another length, message or key is refused`(algorithm: SignatureAlgorithm) throws {
        let key = try mint.key(algorithm)
        let signature = try key.sign(message)
        let stranger = try SigningKey.generate(keyID: "s", algorithm: algorithm).verificationKey
        #expect(key.verificationKey.isValid(signature: signature, for: message))
        #expect(!stranger.isValid(signature: signature, for: message))
        #expect(!key.verificationKey.isValid(signature: signature, for: []))
        for other in [
            [], [0], signature + [0], [0] + signature, Array(signature.dropLast()), repeated(0, signature.count),
        ] {
            #expect(!key.verificationKey.isValid(signature: other, for: message))
        }
    }

    @Test(arguments: SignatureAlgorithm.allCases)
    func `an empty message is signed too`(algorithm: SignatureAlgorithm) throws {
        let key = try mint.key(algorithm)
        #expect(key.verificationKey.isValid(signature: try key.sign([]), for: []))
    }
}

/// `count` times `byte`.
func repeated(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }
