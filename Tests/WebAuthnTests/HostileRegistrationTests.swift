import CryptoPrimitives
import TestSupport
import Testing

@testable import WebAuthn

/// Registrations to refuse (guide to passkeys, hostile inputs 10 to 25).
@Suite struct HostileRegistrationTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let refusal: WebAuthnRefusal
        let make: @Sendable (SoftwareAuthenticator, Site) -> SoftwareRegistration

        var testDescription: String { name }

        init(
            _ name: String, _ refusal: WebAuthnRefusal,
            _ make: @escaping @Sendable (SoftwareAuthenticator, Site) -> SoftwareRegistration
        ) { (self.name, self.refusal, self.make) = (name, refusal, make) }

        /// A registration with this attestation object, made of good authenticator data.
        static func object(
            _ name: String, _ refusal: WebAuthnRefusal = .attestationObject,
            _ object: @escaping @Sendable ([UInt8]) -> [UInt8]
        ) -> Case {
            Case(name, refusal) {
                let data = $0.authenticatorData(credential: $0.attestedCredential())
                return $0.registration(challenge: $1.challenge, attestationObject: object(data))
            }
        }

        /// A registration with this authenticator data.
        static func data(
            _ name: String, _ refusal: WebAuthnRefusal = .authenticatorData,
            _ data: @escaping @Sendable (SoftwareAuthenticator) -> [UInt8]
        ) -> Case {
            Case(name, refusal) { $0.registration(challenge: $1.challenge, authenticatorData: data($0)) }
        }
    }

    private static let format = (key: CBORWriter.text("fmt"), value: CBORWriter.text("none"))
    private static let statement = (key: CBORWriter.text("attStmt"), value: CBORWriter.map([]))
    private static func member(_ data: [UInt8]) -> (key: [UInt8], value: [UInt8]) {
        (CBORWriter.text("authData"), CBORWriter.bytes(data))
    }

    static let cases: [Case] = [
        .data("an rpIdHash of another relying party", .relyingParty) {
            $0.authenticatorData(relyingPartyID: "evil.example.com", credential: $0.attestedCredential())
        },
        Case("no user present", .userPresence) { $0.registration(at: $1, flags: 0x5C) },
        Case("no user verified", .userVerification) { $0.registration(at: $1, flags: 0x59) },
        Case("backed up and not eligible", .backupState) { $0.registration(at: $1, flags: 0x55) },
        .data("no attested credential", .attestedCredential) { $0.authenticatorData() },
        Case("an unannounced attested credential", .authenticatorData) { $0.registration(at: $1, flags: 0x1D) },
        .data("an announced attested credential that is missing") {
            $0.authenticatorData(flags: 0x5D)
        },
        Case("announced extensions that are missing", .authenticatorData) { $0.registration(at: $1, flags: 0xDD) },
        .data("unannounced extensions") {
            $0.authenticatorData(flags: 0x5D, credential: $0.attestedCredential(), extensions: CBORWriter.map([]))
        },
        .data("extensions that are no map") {
            $0.authenticatorData(credential: $0.attestedCredential(), extensions: CBORWriter.array([]))
        },
        .data("extensions that are an indefinite map") {
            $0.authenticatorData(credential: $0.attestedCredential(), extensions: [0xBF, 0xFF])
        },
        .data("a byte after the authenticator data") {
            $0.authenticatorData(credential: $0.attestedCredential() + [0])
        },
        .data("a byte after the extensions") {
            $0.authenticatorData(credential: $0.attestedCredential(), extensions: CBORWriter.map([]) + [0])
        },
        .data("36 bytes of authenticator data") { _ in [UInt8](repeating: 0, count: 36) },
        .data("no authenticator data") { _ in [] },
        .data("more than 4 KiB of authenticator data") {
            $0.authenticatorData(
                credential: $0.attestedCredential(),
                extensions: CBORWriter.map([
                    (CBORWriter.text("a"), CBORWriter.bytes([UInt8](repeating: 0, count: 4096)))
                ]))
        },
        .data("an id beyond the end") {
            $0.authenticatorData(credential: $0.aaguid + [0x03, 0xFF] + $0.credentialID)
        },
        Case("another id in the authenticator data", .credentialID) {
            $0.registration(at: $1, credential: $0.attestedCredential(id: SecureRandom.bytes(32)))
        },
        Case("another rawId", .credentialID) { $0.altered(at: $1) { $0.rawID = "A" + $0.rawID.dropFirst() } },
        Case("a padded id", .credentialID) {
            $0.altered(at: $1) { ($0.id, $0.rawID) = ($0.id + "=", $0.rawID + "=") }
        },
        Case("another type", .credentialID) { $0.altered(at: $1) { $0.type = "public_key" } },
        Case("not discoverable", .notDiscoverable) {
            $0.altered(at: $1) { $0.extensionResults = "{\"credProps\":{\"rk\":false}}" }
        },
        .object("a byte after the object") { Self.object($0) + [0] },
        .object("nothing") { _ in [] },
        .object("200 KB") { Self.object($0) + [UInt8](repeating: 0, count: 204_800) },
        .object("a statement of 8 KiB") {
            let long = CBORWriter.map([(CBORWriter.text("a"), CBORWriter.bytes([UInt8](repeating: 0, count: 8192)))])
            return CBORWriter.map([
                (Self.format.key, CBORWriter.text("packed")), (Self.statement.key, long), member($0),
            ])
        },
        .object("a statement for none", .attestationStatement) {
            let filled = CBORWriter.map([(CBORWriter.text("alg"), CBORWriter.integer(-7))])
            return CBORWriter.map([Self.format, (Self.statement.key, filled), member($0)])
        },
        .object("a statement that is no map") {
            CBORWriter.map([Self.format, (Self.statement.key, CBORWriter.array([])), member($0)])
        },
        .object("no format") { CBORWriter.map([Self.statement, member($0)]) },
        .object("a format in bytes") {
            CBORWriter.map([(Self.format.key, CBORWriter.bytes(Array("none".utf8))), Self.statement, member($0)])
        },
        .object("a fourth member") {
            CBORWriter.map([Self.format, Self.statement, member($0), (CBORWriter.text("epAtt"), [0xF4])])
        },
        .object("two formats") { CBORWriter.map([Self.format, Self.format, Self.statement, member($0)]) },
        .object("two formats and three members") { CBORWriter.map([Self.format, Self.format, member($0)]) },
        .object("a tagged object") { [0xD9, 0xD9, 0xF7] + Self.object($0) },
        .object("an indefinite object") {
            [0xBF] + Self.object($0).dropFirst() + [0xFF]
        },
    ]

    private static func object(_ data: [UInt8]) -> [UInt8] {
        SoftwareAuthenticator.attestationObject(authenticatorData: data)
    }

    @Test(arguments: cases) func `it is refused`(hostile: Case) throws {
        let (site, authenticator) = (try Site.shared.get(), try Site.shared.get().authenticator())
        #expect(throws: hostile.refusal) { try site.register(hostile.make(authenticator, site)) }
    }

    @Test(arguments: [0, 15, 1024]) func `an id of another length is refused`(count: Int) throws {
        let site = try Site.shared.get()
        var authenticator = try site.authenticator()
        authenticator.credentialID = SecureRandom.bytes(count)
        #expect(throws: WebAuthnRefusal.credentialID) { try site.register(authenticator.registration(at: site)) }
    }
}

extension SoftwareAuthenticator {
    fileprivate func altered(
        at site: Site, _ change: (inout SoftwareRegistration) -> Void
    ) -> SoftwareRegistration {
        var registration = registration(at: site)
        change(&registration)
        return registration
    }
}
