public import Foundation

// The declarations for passkeys that the library uses.

open class ASAuthorizationRequest: NSObject {}

public enum ASAuthorizationPublicKeyCredentialUserVerificationPreference: Sendable {
    case required, preferred, discouraged
}

public struct ASAuthorizationPlatformPublicKeyCredentialDescriptor: Equatable, Sendable {
    public let credentialID: Data

    public init(credentialID: Data) { self.credentialID = credentialID }
}

public final class ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest: ASAuthorizationRequest {
    public let relyingPartyIdentifier: String, challenge: Data, name: String, userID: Data
    public var displayName: String?
    public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    public var excludedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor]?

    init(_ relyingParty: String, _ challenge: Data, _ name: String, _ userID: Data) {
        (relyingPartyIdentifier, self.challenge, self.name, self.userID) = (relyingParty, challenge, name, userID)
    }
}

public final class ASAuthorizationPlatformPublicKeyCredentialAssertionRequest: ASAuthorizationRequest {
    public let relyingPartyIdentifier: String, challenge: Data
    public var userVerificationPreference = ASAuthorizationPublicKeyCredentialUserVerificationPreference.preferred
    public var allowedCredentials: [ASAuthorizationPlatformPublicKeyCredentialDescriptor] = []

    init(_ relyingParty: String, _ challenge: Data) {
        (relyingPartyIdentifier, self.challenge) = (relyingParty, challenge)
    }
}

public final class ASAuthorizationPlatformPublicKeyCredentialProvider {
    private let relyingParty: String

    public init(relyingPartyIdentifier: String) { relyingParty = relyingPartyIdentifier }

    public func createCredentialRegistrationRequest(
        challenge: Data, name: String, userID: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest {
        .init(relyingParty, challenge, name, userID)
    }

    public func createCredentialAssertionRequest(
        challenge: Data
    ) -> ASAuthorizationPlatformPublicKeyCredentialAssertionRequest { .init(relyingParty, challenge) }
}

public final class ASAuthorizationPlatformPublicKeyCredentialRegistration: ASAuthorizationCredential {
    public let credentialID: Data, rawClientDataJSON: Data, rawAttestationObject: Data?

    public init(credentialID: Data, rawClientDataJSON: Data, rawAttestationObject: Data?) {
        (self.credentialID, self.rawClientDataJSON) = (credentialID, rawClientDataJSON)
        self.rawAttestationObject = rawAttestationObject
    }
}

public final class ASAuthorizationPlatformPublicKeyCredentialAssertion: ASAuthorizationCredential {
    public let credentialID: Data, rawClientDataJSON: Data
    // These may be nil in Apple's declarations, whose type is `Data!`.
    public let rawAuthenticatorData: Data!, signature: Data!, userID: Data!

    public init(
        credentialID: Data, rawClientDataJSON: Data, rawAuthenticatorData: Data?, signature: Data?, userID: Data?
    ) {
        (self.credentialID, self.rawClientDataJSON) = (credentialID, rawClientDataJSON)
        (self.rawAuthenticatorData, self.signature, self.userID) = (rawAuthenticatorData, signature, userID)
    }
}

// MARK: - The sheet for a new account

public enum ASContactIdentifierRequest: Sendable { case email, phoneNumber }

public struct ASContactIdentifierPhoneNumber: Sendable {
    public let value: String

    public init(value: String) { self.value = value }
}

public enum ASContactIdentifier: Sendable {
    case email(String)
    case phoneNumber(ASContactIdentifierPhoneNumber)
}

public final class ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest: ASAuthorizationRequest {
    public let accepted: [ASContactIdentifierRequest], relyingPartyIdentifier: String, challenge: Data, userID: Data

    init(_ accepted: [ASContactIdentifierRequest], _ relyingParty: String, _ challenge: Data, _ userID: Data) {
        (self.accepted, relyingPartyIdentifier, self.challenge, self.userID) = (
            accepted, relyingParty, challenge, userID
        )
    }
}

public final class ASAuthorizationAccountCreationProvider {
    public init() {}

    public func createPlatformPublicKeyCredentialRegistrationRequest(
        acceptedContactIdentifiers: [ASContactIdentifierRequest], shouldRequestName: Bool,
        relyingPartyIdentifier: String, challenge: Data, userID: Data
    ) -> ASAuthorizationAccountCreationPlatformPublicKeyCredentialRequest {
        .init(acceptedContactIdentifiers, relyingPartyIdentifier, challenge, userID)
    }
}

public final class ASAuthorizationAccountCreationPlatformPublicKeyCredential: ASAuthorizationCredential {
    public let contactIdentifier: ASContactIdentifier, name: PersonNameComponents?
    public let credentialRegistration: ASAuthorizationPlatformPublicKeyCredentialRegistration

    public init(
        _ contactIdentifier: ASContactIdentifier, name: PersonNameComponents?,
        _ registration: ASAuthorizationPlatformPublicKeyCredentialRegistration
    ) { (self.contactIdentifier, self.name, credentialRegistration) = (contactIdentifier, name, registration) }
}

/// The reports that the system got.
public final class ASCredentialUpdater: Sendable {
    @MainActor public static var accepted: [[Data]] = []
    @MainActor public static var unknown: [Data] = []

    public init() {}

    public func reportAllAcceptedPublicKeyCredentials(
        relyingPartyIdentifier: String, userHandle: Data, acceptedCredentialIDs: [Data]
    ) async throws {
        await MainActor.run { Self.accepted.append(acceptedCredentialIDs) }
    }

    public func reportUnknownPublicKeyCredential(relyingPartyIdentifier: String, credentialID: Data) async throws {
        await MainActor.run { Self.unknown.append(credentialID) }
    }
}
