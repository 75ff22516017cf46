import AccessTokens
import CryptoPrimitives
import TestSupport
import Testing

@testable import WebAuthn

/// Assertions to refuse (guide to passkeys, hostile inputs 10 to 17 and 29 to 33). All are signed with the right key, unless
/// they are about the signature.
@Suite struct HostileAssertionTests {
    let site: Site

    init() throws { site = try Site.shared.get() }

    struct Data: Sendable, CustomTestStringConvertible {
        let name: String
        let refusal: WebAuthnRefusal
        let make: @Sendable (SoftwareAuthenticator) -> [UInt8]

        var testDescription: String { name }

        init(
            _ name: String, _ refusal: WebAuthnRefusal,
            _ make: @escaping @Sendable (SoftwareAuthenticator) -> [UInt8]
        ) { (self.name, self.refusal, self.make) = (name, refusal, make) }
    }

    static let data: [Data] = [
        Data("an rpIdHash of another relying party", .relyingParty) {
            $0.authenticatorData(relyingPartyID: "evil.com")
        },
        Data("no user present", .userPresence) { $0.authenticatorData(flags: 0x1C) },
        Data("no user verified", .userVerification) { $0.authenticatorData(flags: 0x19) },
        Data("backed up and not eligible", .backupState) { $0.authenticatorData(flags: 0x15) },
        Data("no longer eligible for backup", .backupEligibility) { $0.authenticatorData(flags: 0x05) },
        Data("an attested credential", .attestedCredential) {
            $0.authenticatorData(credential: $0.attestedCredential())
        },
        Data("an announced attested credential that is missing", .authenticatorData) {
            $0.authenticatorData(flags: 0x5D)
        },
        Data("announced extensions that are missing", .authenticatorData) { $0.authenticatorData(flags: 0x9D) },
        Data("unannounced extensions", .authenticatorData) {
            $0.authenticatorData(flags: 0x1D, extensions: CBORWriter.map([]))
        },
        Data("a byte after it", .authenticatorData) { $0.authenticatorData() + [0] },
        Data("36 bytes", .authenticatorData) { Array($0.authenticatorData().dropLast()) },
        Data("nothing", .authenticatorData) { _ in [] },
        Data("more than 4 KiB", .authenticatorData) {
            let long = CBORWriter.bytes([UInt8](repeating: 0, count: 4096))
            return $0.authenticatorData(extensions: CBORWriter.map([(CBORWriter.text("a"), long)]))
        },
    ]

    @Test(arguments: data) func `authenticator data is refused`(hostile: Data) throws {
        let authenticator = try site.authenticator()
        let assertion = try authenticator.assertion(
            challenge: site.challenge, authenticatorData: hostile.make(authenticator))
        #expect(throws: hostile.refusal) { try site.verify(assertion, record: authenticator.record) }
    }

    @Test func `another credential is refused`() throws {
        let authenticator = try site.authenticator()
        let assertion = try authenticator.assertion(challenge: site.challenge)
        var altered = [assertion, assertion, assertion, assertion]
        altered[0].rawID = Base64URL.encode(SecureRandom.bytes(32))
        (altered[1].id, altered[1].rawID) = (altered[0].rawID, altered[0].rawID)
        (altered[2].id, altered[2].rawID) = (assertion.id + "=", assertion.id + "=")
        altered[3].type = ""
        for assertion in altered {
            #expect(throws: WebAuthnRefusal.credentialID) {
                try site.verify(assertion, record: authenticator.record)
            }
        }
    }

    @Test func `a missing or foreign handle is refused`() throws {
        let authenticator = try site.authenticator()
        var assertion = try authenticator.assertion(challenge: site.challenge)
        let handle = try #require(assertion.userHandle)
        for missing in [nil, ""] {
            assertion.userHandle = missing
            #expect(throws: WebAuthnRefusal.userHandle) { try site.verify(assertion, record: authenticator.record) }
        }
        for foreign in [Base64URL.encode(SecureRandom.bytes(32)), handle + "=", "AA", "*"] {
            assertion.userHandle = foreign
            for isRequired in [true, false] {
                #expect(throws: WebAuthnRefusal.userHandle) {
                    try site.verify(assertion, record: authenticator.record, requiresUserHandle: isRequired)
                }
            }
        }
    }

    @Test(arguments: [SignatureAlgorithm.ES256, .EdDSA, .RS256])
    func `a signature of another key, message or form is refused`(algorithm: SignatureAlgorithm) throws {
        let authenticator = try site.authenticator(algorithm)
        let stranger = try SoftwareAuthenticator(
            algorithm: algorithm, relyingPartyID: Site.id, origin: Site.origin, userHandle: [])
        let assertion = try authenticator.assertion(challenge: site.challenge)
        let message = assertion.authenticatorData + SHA256.hash(assertion.clientData)
        var signatures: [[UInt8]] = [
            [], [0], [UInt8](repeating: 0, count: assertion.signature.count), assertion.signature + [0],
            [0] + assertion.signature, assertion.signature.dropLast(), assertion.signature + assertion.signature,
            try stranger.assertion(challenge: site.challenge).signature,
            try authenticator.assertion(challenge: SecureRandom.bytes(32)).signature,
        ]
        let raw = try authenticator.key.sign(message)
        switch algorithm {
        case .ES256: signatures += Self.malformedDER(raw) + [raw]
        case .EdDSA: signatures += [Self.withOrder(assertion.signature)]
        default: break
        }
        for signature in signatures {
            var altered = assertion
            altered.signature = signature
            #expect(throws: WebAuthnRefusal.signature) { try site.verify(altered, record: authenticator.record) }
        }
        _ = try site.verify(assertion, record: authenticator.record)
    }

    /// Otherwise a stolen id would tell its user's handle, or whether the credential is backed up.
    @Test func `a wrong signature is refused before the record is compared`() throws {
        let authenticator = try site.authenticator()
        var assertion = try authenticator.assertion(
            challenge: site.challenge, authenticatorData: authenticator.authenticatorData(flags: 0x05))
        assertion.userHandle = "AA"
        assertion.signature = try authenticator.assertion(challenge: []).signature
        #expect(throws: WebAuthnRefusal.signature) { try site.verify(assertion, record: authenticator.record) }
    }

    @Test(arguments: [SignatureAlgorithm.ES256, .EdDSA, .RS256])
    func `data that changed after signing is refused`(algorithm: SignatureAlgorithm) throws {
        let authenticator = try site.authenticator(algorithm)
        var assertion = try authenticator.assertion(challenge: site.challenge)
        assertion.authenticatorData[36] = 9
        #expect(throws: WebAuthnRefusal.signature) { try site.verify(assertion, record: authenticator.record) }
        assertion = try authenticator.assertion(challenge: site.challenge)
        assertion.clientData.append(0x20)
        #expect(throws: WebAuthnRefusal.signature) { try site.verify(assertion, record: authenticator.record) }
    }

    /// DER that is lax, negative, out of range, or of another structure, of a right r and s.
    private static func malformedDER(_ raw: [UInt8]) -> [[UInt8]] {
        let (r, s) = (Array(raw.prefix(32)), Array(raw.suffix(32)))
        func integer(_ bytes: [UInt8]) -> [UInt8] { [0x02, UInt8(truncatingIfNeeded: bytes.count)] + bytes }
        func sequence(_ content: [UInt8]) -> [UInt8] { [0x30, UInt8(truncatingIfNeeded: content.count)] + content }
        let good = Array(SoftwareAuthenticator.der(raw).dropFirst(2))
        return [
            sequence(integer([0, 0] + r) + integer([0, 0] + s)), sequence(good + [0x05, 0x00]),
            sequence(integer([0]) + integer([0])), sequence(integer([]) + integer([])),
            [0x30, 0x81] + sequence(good).dropFirst(),
            [0x30, 0x82, 0] + sequence(good).dropFirst(), [0x30, 0x80] + good + [0, 0],
            [0x31] + sequence(good).dropFirst(),
            sequence(integer([0x80] + r.dropFirst()) + integer([0x80] + s.dropFirst())), sequence(sequence(good)),
            sequence([0x02, 0x81, 33, 0] + r + integer([0] + s)), sequence(integer([0] + r)),
        ]
    }

    /// S + L, which verifies where S is not compared with the order L.
    private static func withOrder(_ signature: [UInt8]) -> [UInt8] {
        let order: [UInt8] =
            [0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14]
            + [UInt8](repeating: 0, count: 15) + [0x10]
        var (sum, carry) = (Array(signature.prefix(32)), 0)
        for (digit, addend) in zip(signature.suffix(32), order) {
            carry += Int(digit) + Int(addend)
            sum.append(UInt8(truncatingIfNeeded: carry))
            carry >>= 8
        }
        return sum
    }
}
