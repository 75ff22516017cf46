import CryptoPrimitives
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

@testable import WebAuthn

/// The test vectors of Web Authentication Level 3, section 16 (`Tests/Vectors/webauthn.json`).
@Suite struct VectorTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        struct Registration: Decodable, Sendable {
            let challenge: String
            let clientDataJSON: String
            let attestationObject: String
        }

        struct Assertion: Decodable, Sendable {
            let challenge: String
            let clientDataJSON: String
            let authenticatorData: String
            let signature: String
        }

        let name: String
        let credentialID: String
        let registration: Registration
        let assertion: Assertion

        var testDescription: String { name }
        var id: [UInt8] { Hex.decode(credentialID) ?? [] }
    }

    static let all = Result { () throws -> [Vector] in
        let path = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/Vectors/webauthn.json"
        let data = try Data(contentsOf: URL(filePath: path))
        return try StrictJSON.decode([Vector].self, from: Array(data), limits: .init(bytesMax: 65536, depthMax: 4))
    }

    /// The vectors that we refuse: ceremonies in frames, and algorithms that we do not offer.
    private static let refusals: [String: WebAuthnRefusal] = [
        "none.ES256.crossOrigin": .frame, "none.ES256.topOrigin": .frame, "packed.ES384": .publicKey,
        "packed.ES512": .publicKey, "packed.Ed448": .publicKey,
    ]
    private let party = RelyingParty(id: "example.org", origins: [])

    @Test func `there are fifteen vectors`() throws {
        #expect(Set(try Self.all.get().map(\.name)).count == 15)
    }

    @Test(arguments: try VectorTests.all.get()) func `registrations are read as the rules say`(vector: Vector) throws {
        let credential = RegistrationCredential(
            id: Base64URL.encode(vector.id), rawId: Base64URL.encode(vector.id), type: "public-key",
            response: .init(
                clientDataJSON: try text(vector.registration.clientDataJSON),
                attestationObject: try text(vector.registration.attestationObject), transports: nil),
            clientExtensionResults: nil)
        let challenge = try #require(Hex.decode(vector.registration.challenge))
        func register() throws(WebAuthnRefusal) -> CredentialRecord {
            try party.register(credential, challenge: challenge, userHandle: [1], requiresUserVerification: false)
        }
        if let refusal = Self.refusals[vector.name] {
            #expect(throws: refusal) { try register() }
        } else {
            #expect(try register() == record(vector))
        }
    }

    @Test(arguments: try VectorTests.all.get()) func `assertions are verified as the rules say`(vector: Vector) throws {
        let credential = AssertionCredential(
            id: Base64URL.encode(vector.id), rawId: Base64URL.encode(vector.id), type: "public-key",
            response: .init(
                clientDataJSON: try text(vector.assertion.clientDataJSON),
                authenticatorData: try text(vector.assertion.authenticatorData),
                signature: try text(vector.assertion.signature), userHandle: nil))
        let challenge = try #require(Hex.decode(vector.assertion.challenge))
        let record = try record(vector)
        func verify() throws(WebAuthnRefusal) -> VerifiedAssertion {
            try party.verify(
                credential, record: record, challenge: challenge, requiresUserHandle: false,
                requiresUserVerification: false)
        }
        if let refusal = Self.refusals[vector.name] {
            #expect(throws: refusal) { try verify() }
        } else {
            #expect(try verify().isBackupEligible == record.isBackupEligible)
        }
    }

    /// The record of a registration, also of one that we refuse.
    private func record(_ vector: Vector) throws -> CredentialRecord {
        let object = try #require(Hex.decode(vector.registration.attestationObject).flatMap { CBOR($0)?.mapValue })
        let data = try AuthenticatorData(try #require(object[.text("authData")]?.bytesValue))
        let credential = try #require(data.credential)
        return CredentialRecord(
            id: vector.id, userHandle: [1], publicKey: credential.publicKey, aaguid: credential.aaguid, signCount: 0,
            isUserVerified: data.flags.contains(.userVerified), isBackupEligible: data.flags.contains(.backupEligible),
            isBackedUp: data.flags.contains(.backedUp))
    }

    private func text(_ hex: String) throws -> String { Base64URL.encode(try #require(Hex.decode(hex))) }
}
