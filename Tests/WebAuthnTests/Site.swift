import AccessTokens
import CryptoPrimitives
import StrictJSON
import TestSupport

@testable import WebAuthn

/// A relying party, its challenge, and an authenticator for each algorithm.
struct Site: Sendable {
    static let id = "auth.example.com"
    static let origin = "https://app.example.com"
    /// Made once: an RSA key takes a good part of a second.
    static let shared = Result { try Site() }

    let party = RelyingParty(id: id, origins: [origin])
    let challenge = SecureRandom.bytes(32)
    let authenticators: [SignatureAlgorithm: SoftwareAuthenticator]

    private init() throws {
        var authenticators: [SignatureAlgorithm: SoftwareAuthenticator] = [:]
        for algorithm in [SignatureAlgorithm.ES256, .EdDSA, .RS256] {
            authenticators[algorithm] = try SoftwareAuthenticator(
                algorithm: algorithm, relyingPartyID: Self.id, origin: Self.origin,
                userHandle: SecureRandom.bytes(32))
        }
        self.authenticators = authenticators
    }

    func authenticator(_ algorithm: SignatureAlgorithm = .ES256) throws -> SoftwareAuthenticator {
        guard let authenticator = authenticators[algorithm] else { throw KeyError.unsupportedKey }
        return authenticator
    }

    func register(
        _ registration: SoftwareRegistration, requiresUserVerification: Bool = true
    ) throws -> CredentialRecord {
        let credential = try StrictJSON.decode(
            RegistrationCredential.self, from: Array(registration.json.utf8), limits: .own)
        return try party.register(
            credential, challenge: challenge, userHandle: Array("handle".utf8),
            requiresUserVerification: requiresUserVerification)
    }

    func verify(
        _ assertion: SoftwareAssertion, record: CredentialRecord, requiresUserHandle: Bool = true,
        requiresUserVerification: Bool = true
    ) throws -> VerifiedAssertion {
        let credential = try StrictJSON.decode(
            AssertionCredential.self, from: Array(assertion.json.utf8), limits: .own)
        return try party.verify(
            credential, record: record, challenge: challenge, requiresUserHandle: requiresUserHandle,
            requiresUserVerification: requiresUserVerification)
    }
}

extension SoftwareAuthenticator {
    /// The record of this credential, as a registration would have made it.
    var record: CredentialRecord {
        CredentialRecord(
            id: credentialID, userHandle: userHandle, publicKey: CBORWriter.map(publicKeyMembers), aaguid: aaguid,
            signCount: signCount, isUserVerified: flags & 0x04 > 0, isBackupEligible: flags & 0x08 > 0,
            isBackedUp: flags & 0x10 > 0)
    }

    func registration(at site: Site, flags: UInt8? = nil, credential: [UInt8]? = nil) -> SoftwareRegistration {
        registration(
            challenge: site.challenge,
            authenticatorData: authenticatorData(flags: flags, credential: credential ?? attestedCredential()))
    }

    /// A registration whose public key has these members.
    func registration(
        at site: Site, changing change: (inout [(key: [UInt8], value: [UInt8])]) -> Void
    ) -> SoftwareRegistration {
        var members = publicKeyMembers
        change(&members)
        return registration(at: site, credential: attestedCredential(publicKey: CBORWriter.map(members)))
    }
}
