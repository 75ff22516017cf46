import AccessTokens
import CryptoPrimitives
import StrictJSON
import TestSupport
import Testing

@testable import WebAuthn

/// Registrations and assertions that have to pass, with the liberties that real clients take.
@Suite struct CeremonyTests {
    let site: Site

    init() throws { site = try Site.shared.get() }

    @Test(arguments: [SignatureAlgorithm.ES256, .EdDSA, .RS256])
    func `a registered credential signs in`(algorithm: SignatureAlgorithm) throws {
        var authenticator = try site.authenticator(algorithm)
        authenticator.userHandle = Array("handle".utf8)
        let record = try site.register(authenticator.registration(challenge: site.challenge))
        #expect(record == authenticator.record)
        authenticator.signCount = 7
        let assertion = try site.verify(try authenticator.assertion(challenge: site.challenge), record: record)
        #expect(
            assertion
                == VerifiedAssertion(signCount: 7, isUserVerified: true, isBackupEligible: true, isBackedUp: true))
    }

    @Test func `the options' algorithms are those of the keys`() throws {
        #expect(COSEKey.algorithms == [-7, -8, -257])
        for algorithm in [SignatureAlgorithm.ES256, .EdDSA, .RS256] {
            let key = CBORWriter.map(try site.authenticator(algorithm).publicKeyMembers)
            #expect(try COSEKey.verificationKey(key).algorithm == algorithm)
        }
    }

    @Test func `user verification is stated, and required only on request`() throws {
        let authenticator = try site.authenticator()
        let record = try site.register(
            authenticator.registration(at: site, flags: 0x41), requiresUserVerification: false)
        #expect(!record.isUserVerified && !record.isBackupEligible && !record.isBackedUp)
        let unverified = try authenticator.assertion(
            challenge: site.challenge, authenticatorData: authenticator.authenticatorData(flags: 0x19))
        #expect(
            try !site.verify(unverified, record: authenticator.record, requiresUserVerification: false).isUserVerified)
    }

    @Test(arguments: [
        "", ",\"crossOrigin\":false,\"tokenBinding\":{\"status\":\"supported\"}",
        ",\"androidPackageName\":\"com.example\"",
        ",\"other_keys_can_be_added_here\":\"do not compare clientDataJSON against a template\"", " \n ",
    ])
    func `further members and white space in client data are allowed`(more: String) throws {
        let authenticator = try site.authenticator()
        let challenge = Base64URL.encode(site.challenge)
        let created = authenticator.clientData("webauthn.create", challenge: challenge, more: more)
        _ = try site.register(authenticator.registration(challenge: site.challenge, clientData: created))
        let got = authenticator.clientData(
            "webauthn.get", challenge: challenge, origin: "https:\\/\\/app.example.com", more: more)
        _ = try site.verify(
            try authenticator.assertion(challenge: site.challenge, clientData: got), record: authenticator.record)
    }

    @Test func `the relying party's own site and listed Android apps are allowed`() throws {
        let app = RelyingParty.androidOrigin(certificateSHA256: SHA256.hash([1]))
        #expect(app == "android:apk-key-hash:S_USLzRFVMU73i67jNK349FgCtYxw4Wl18ziPHeFRZo")
        let party = RelyingParty(id: Site.id, origins: [app])
        for origin in [app, "https://" + Site.id] {
            var authenticator = try site.authenticator()
            authenticator.origin = origin
            let json = authenticator.registration(challenge: site.challenge).json
            let credential = try StrictJSON.decode(RegistrationCredential.self, from: Array(json.utf8), limits: .own)
            _ = try party.register(
                credential, challenge: site.challenge, userHandle: [1], requiresUserVerification: true)
        }
    }

    /// Members of maps come in any order, and statements of other formats unasked.
    @Test func `another order of members and an unasked statement are accepted`() throws {
        let authenticator = try site.authenticator()
        let data = authenticator.authenticatorData(
            credential: authenticator.attestedCredential(
                publicKey: CBORWriter.map(authenticator.publicKeyMembers.reversed())),
            extensions: CBORWriter.map([
                (CBORWriter.text("credProtect"), [2]), (CBORWriter.text("hmac-secret"), [0xF5]),
            ]))
        let statement = CBORWriter.map([
            (CBORWriter.text("alg"), CBORWriter.integer(-7)), (CBORWriter.text("sig"), CBORWriter.bytes([1])),
            (CBORWriter.text("x5c"), CBORWriter.array([CBORWriter.bytes([2])])),
        ])
        let object = CBORWriter.map([
            (CBORWriter.text("authData"), CBORWriter.bytes(data)), (CBORWriter.text("fmt"), CBORWriter.text("packed")),
            (CBORWriter.text("attStmt"), statement),
        ])
        _ = try site.register(authenticator.registration(challenge: site.challenge, attestationObject: object))
        let extended = authenticator.authenticatorData(extensions: CBORWriter.map([(CBORWriter.text("uvm"), [0x80])]))
        _ = try site.verify(
            try authenticator.assertion(challenge: site.challenge, authenticatorData: extended),
            record: authenticator.record)
    }

    @Test(arguments: [16, 1023]) func `ids have 16 to 1,023 bytes`(count: Int) throws {
        var authenticator = try site.authenticator()
        authenticator.credentialID = SecureRandom.bytes(count)
        #expect(try site.register(authenticator.registration(challenge: site.challenge)).id.count == count)
        _ = try site.verify(try authenticator.assertion(challenge: site.challenge), record: authenticator.record)
    }

    @Test(arguments: [nil, ""]) func `a known user's assertion may lack the handle`(handle: String?) throws {
        let authenticator = try site.authenticator()
        var assertion = try authenticator.assertion(challenge: site.challenge)
        assertion.userHandle = handle
        _ = try site.verify(assertion, record: authenticator.record, requiresUserHandle: false)
    }

    @Test func `a credential may become eligible for backup`() throws {
        let authenticator = try site.authenticator()
        var record = authenticator.record
        (record.isBackupEligible, record.isBackedUp) = (false, false)
        let assertion = try site.verify(try authenticator.assertion(challenge: site.challenge), record: record)
        #expect(assertion.isBackupEligible && assertion.isBackedUp)
    }

    @Test(arguments: [
        (0, 0, false, VerifiedAssertion.Counter.plausible), (0, 1, false, .plausible), (5, 6, false, .plausible),
        (5, 5, false, .ofClone), (5, 0, false, .ofClone), (5, 5, true, .ofSyncedCopy), (5, 4, true, .ofSyncedCopy),
        (.max, 0, false, .ofClone), (.max - 1, .max, false, .plausible),
    ])
    func `a counter that does not rise tells of a copy`(
        stored: UInt32, new: UInt32, isBackupEligible: Bool, verdict: VerifiedAssertion.Counter
    ) {
        let assertion = VerifiedAssertion(
            signCount: new, isUserVerified: true, isBackupEligible: isBackupEligible, isBackedUp: false)
        #expect(assertion.counter(after: stored) == verdict)
    }

    @Test(arguments: ["{}", "{\"credProps\":{}}", "{\"credProps\":{\"rk\":true},\"appid\":false}"])
    func `a credential may be stated to be discoverable, or nothing stated`(results: String) throws {
        var registration = try site.authenticator().registration(challenge: site.challenge)
        registration.extensionResults = results
        _ = try site.register(registration)
    }
}
