public import Foundation

/// The keeper of the user's passkeys. ``SystemPasskeys`` is the system's own, with its sheets.
///
/// Its calls throw ``AuthError/cancelled`` if the user closes the sheet, and close the sheet if their task is cancelled.
public protocol PasskeyProvider: Sendable {
    /// Whether ``report(accepted:ofUser:relyingParty:)`` has any effect.
    var takesReports: Bool { get }

    /// Has the user make a passkey.
    func create(_ request: PasskeyCreation) async throws -> CreatedPasskey

    /// Has the user choose a passkey, and signs with it.
    func sign(_ request: PasskeyRequest) async throws -> PasskeyAssertion

    /// Has the user make an account: a phone number, a name and a passkey. Returns `nil` if the app has to show its own form.
    func createAccount(_ request: PasskeyCreation) async throws -> PasskeyAccount?

    /// Tells the keeper which of a user's passkeys the server accepts, so that it offers no other one.
    func report(accepted credentialIDs: [Data], ofUser handle: Data, relyingParty: String) async

    /// Tells the keeper that the server does not know a passkey.
    func report(unknown credentialID: Data, relyingParty: String) async
}

extension PasskeyProvider {
    public var takesReports: Bool { false }
    public func createAccount(_ request: PasskeyCreation) async throws -> PasskeyAccount? { nil }
    public func report(accepted credentialIDs: [Data], ofUser handle: Data, relyingParty: String) async {}
    public func report(unknown credentialID: Data, relyingParty: String) async {}
}

/// Whether the keeper of a passkey has to verify the user, by their face, fingerprint or passcode.
public enum UserVerification: String, Sendable {
    case required
    case preferred
    case discouraged
}

/// The server's options for a new passkey.
public struct PasskeyCreation: Sendable, Equatable {
    /// The domain that the passkey belongs to.
    public let relyingParty: String
    public let challenge: Data
    /// The user's handle, which comes back with each assertion.
    public let userHandle: Data
    /// The phone number or address by which the user recognises the account; empty before there is one.
    public let userName: String
    public let displayName: String
    public let userVerification: UserVerification
    /// The user's passkeys. A device that has one of them makes no other.
    public let excludedCredentialIDs: [Data]
}

/// The server's options for the use of a passkey.
public struct PasskeyRequest: Sendable, Equatable {
    /// The domain that the passkey belongs to.
    public let relyingParty: String
    public let challenge: Data
    public let userVerification: UserVerification
    /// The passkeys that the user can choose from; empty for all of the domain.
    public let allowedCredentialIDs: [Data]
    /// Whether the keyboard offers the passkeys, and no sheet opens.
    public let isAutoFill: Bool
}

/// A new passkey, as its keeper returns it.
public struct CreatedPasskey: Sendable, Equatable {
    public let credentialID: Data
    public let clientDataJSON: Data
    public let attestationObject: Data

    public init(credentialID: Data, clientDataJSON: Data, attestationObject: Data) {
        (self.credentialID, self.clientDataJSON) = (credentialID, clientDataJSON)
        self.attestationObject = attestationObject
    }
}

/// A challenge that a passkey has signed.
public struct PasskeyAssertion: Sendable, Equatable {
    public let credentialID: Data
    public let clientDataJSON: Data
    public let authenticatorData: Data
    public let signature: Data
    public let userHandle: Data

    public init(
        credentialID: Data, clientDataJSON: Data, authenticatorData: Data, signature: Data, userHandle: Data
    ) {
        (self.credentialID, self.clientDataJSON) = (credentialID, clientDataJSON)
        (self.authenticatorData, self.signature, self.userHandle) = (authenticatorData, signature, userHandle)
    }
}

/// The result of the sheet for a new account. The phone number is not verified.
public struct PasskeyAccount: Sendable, Equatable {
    public let phone: String
    public let name: String?
    public let passkey: CreatedPasskey

    public init(phone: String, name: String?, passkey: CreatedPasskey) {
        (self.phone, self.name, self.passkey) = (phone, name, passkey)
    }
}

/// Prints no phone number.
extension PasskeyAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "PasskeyAccount(‹redacted›)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
