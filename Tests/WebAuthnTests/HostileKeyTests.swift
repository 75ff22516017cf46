import AccessTokens
import CryptoPrimitives
import TestSupport
import Testing

@testable import WebAuthn

/// Public keys to refuse (guide to passkeys, hostile inputs 21 to 25).
@Suite struct HostileKeyTests {
    typealias Members = [(key: [UInt8], value: [UInt8])]

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let algorithm: SignatureAlgorithm
        let change: @Sendable (inout Members) -> Void

        var testDescription: String { "\(algorithm.rawValue): \(name)" }

        init(_ algorithm: SignatureAlgorithm, _ name: String, _ change: @escaping @Sendable (inout Members) -> Void) {
            (self.name, self.algorithm, self.change) = (name, algorithm, change)
        }

        /// A key with this value in place of a member's.
        init(_ algorithm: SignatureAlgorithm, _ name: String, _ label: Int64, _ value: [UInt8]) {
            self.init(algorithm, name) { members in
                for index in members.indices where members[index].key == CBORWriter.integer(label) {
                    members[index].value = value
                }
            }
        }
    }

    private static let zeros = [UInt8](repeating: 0, count: 32)
    private static func bytes(_ count: Int, _ first: UInt8 = 0xC0) -> [UInt8] {
        CBORWriter.bytes([first] + [UInt8](repeating: 0xFF, count: count - 1))
    }

    static let cases: [Case] = [
        Case(.ES256, "off the curve", -3, bytes(32, 1)), Case(.ES256, "x of 31 bytes", -2, bytes(31)),
        Case(.ES256, "x of 33 bytes", -2, bytes(33, 0)), Case(.ES256, "y as a bool", -3, [0xF5]),
        Case(.ES256, "the point of zeros", -2, CBORWriter.bytes(zeros)), Case(.ES256, "P-384", -1, [2]),
        Case(.ES256, "ES384", 3, CBORWriter.integer(-35)), Case(.ES256, "EdDSA's number", 3, CBORWriter.integer(-8)),
        Case(.ES256, "ESP256's number", 3, CBORWriter.integer(-9)),
        Case(.ES256, "alg as a text", 3, CBORWriter.text("ES256")),
        Case(.ES256, "the type of Ed25519", 1, [1]), Case(.ES256, "no y") { $0.removeLast() },
        Case(.ES256, "no alg") { $0.remove(at: 1) },
        Case(.ES256, "a private member") { $0.append((CBORWriter.integer(-4), bytes(32))) },
        Case(.ES256, "a key id") { $0.append(([2], CBORWriter.bytes([1]))) },
        Case(.ES256, "key operations in place of y") { $0[4] = ([4], CBORWriter.array([[2]])) },
        Case(.EdDSA, "ES256's number", 3, CBORWriter.integer(-7)), Case(.EdDSA, "X25519", -1, [4]),
        Case(.EdDSA, "x of 31 bytes", -2, bytes(31)),
        Case(.EdDSA, "the neutral element", -2, CBORWriter.bytes([1] + zeros.dropLast())),
        Case(.EdDSA, "a point of order 4", -2, CBORWriter.bytes(zeros)),
        Case(.EdDSA, "y above the prime", -2, CBORWriter.bytes([UInt8](repeating: 0xFF, count: 32))),
        Case(.EdDSA, "a private member") { $0.append((CBORWriter.integer(-4), bytes(32))) },
        Case(.RS256, "1,024 bits", -1, bytes(128)), Case(.RS256, "8,200 bits", -1, bytes(1025)),
        Case(.RS256, "an even modulus", -1, CBORWriter.bytes([UInt8](repeating: 0xFE, count: 256))),
        Case(.RS256, "a leading zero", -1, bytes(257, 0)), Case(.RS256, "exponent 1", -2, CBORWriter.bytes([1])),
        Case(.RS256, "an even exponent", -2, CBORWriter.bytes([1, 0])),
        Case(.RS256, "no exponent", -2, CBORWriter.bytes([])),
        Case(.RS256, "PS256", 3, CBORWriter.integer(-37)), Case(.RS256, "RS1", 3, CBORWriter.integer(-65535)),
        Case(.RS256, "a private member") { $0.append((CBORWriter.integer(-3), bytes(256))) },
    ]

    @Test(arguments: cases) func `it is refused`(hostile: Case) throws {
        let site = try Site.shared.get()
        let authenticator = try site.authenticator(hostile.algorithm)
        let registration = authenticator.registration(at: site, changing: hostile.change)
        #expect(throws: WebAuthnRefusal.publicKey) { try site.register(registration) }
        // A record that was altered in the database is no way in either.
        var (record, members) = (authenticator.record, authenticator.publicKeyMembers)
        hostile.change(&members)
        record.publicKey = CBORWriter.map(members)
        let assertion = try authenticator.assertion(challenge: site.challenge)
        #expect(throws: WebAuthnRefusal.publicKey) { try site.verify(assertion, record: record) }
    }

    /// The authenticator data has no end if its key has none.
    @Test(arguments: [SignatureAlgorithm.ES256, .EdDSA, .RS256])
    func `a key that is not CBOR is refused with its authenticator data`(algorithm: SignatureAlgorithm) throws {
        let site = try Site.shared.get()
        let authenticator = try site.authenticator(algorithm)
        let twice = authenticator.registration(at: site) { $0.append($0[1]) }
        #expect(throws: WebAuthnRefusal.authenticatorData) { try site.register(twice) }
        let key = CBORWriter.map(authenticator.publicKeyMembers)
        for malformed in [[0xBF] + key.dropFirst() + [0xFF], [0xC1] + key, Array(key.dropLast()), []] {
            let credential = authenticator.attestedCredential(publicKey: malformed)
            #expect(throws: WebAuthnRefusal.authenticatorData) {
                try site.register(authenticator.registration(at: site, credential: credential))
            }
        }
        let credential = authenticator.attestedCredential(publicKey: CBORWriter.bytes(key))
        #expect(throws: WebAuthnRefusal.publicKey) {
            try site.register(authenticator.registration(at: site, credential: credential))
        }
    }
}
