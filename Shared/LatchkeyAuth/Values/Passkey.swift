public import Foundation

/// One of the user's passkeys.
public struct Passkey: Sendable, Equatable, Identifiable {
    /// The id by which it is renamed and removed.
    public let id: String
    public let name: String
    /// `passkey`, or `restore` for a key that Android moves to a new phone.
    public let kind: String
    public let createdAt: Date
    public let lastUsedAt: Date?
    /// The time from which it signs in, if that is still to come. The user can remove it until then.
    public let activeFrom: Date?
    /// Whether its keeper has copied it to the user's other devices.
    public let isBackedUp: Bool
    /// The ways by which its keeper is reached, such as `internal` or `hybrid`.
    public let transports: [String]
    /// The model of its keeper as a UUID, which nothing proves.
    public let aaguid: String?
    let credentialID: Data?
    let userHandle: Data?
}

extension Passkey {
    /// A passkey as the server's JSON describes it, or `nil` if a member is missing.
    init?(_ json: JSONValue?) {
        guard let members = json?.members, let id = members["id"]?.text, let created = members["createdAt"]?.whole
        else { return nil }
        self.id = id
        name = members["name"]?.text ?? ""
        kind = members["kind"]?.text ?? "passkey"
        createdAt = Date(unixSeconds: created)
        lastUsedAt = members["lastUsedAt"]?.whole.map(Date.init(unixSeconds:))
        activeFrom = members["activeFrom"]?.whole.map(Date.init(unixSeconds:))
        isBackedUp = members["backedUp"] == .boolean(true)
        transports = members["transports"]?.texts ?? []
        aaguid = members["aaguid"]?.text
        credentialID = members["credentialId"]?.bytes
        userHandle = members["userHandle"]?.bytes
    }
}

/// A sign-up in the system's sheet, whose phone number waits for its code.
///
/// It is `Codable`: keep it while the user reads the message, as you would keep a ``PendingCode``.
public struct PendingSignUp: Sendable, Equatable, Codable {
    /// The code that was sent, for ``LatchkeyAuth/resend(_:channel:)``.
    public var code: PendingCode
    /// The name that the user has entered.
    public let name: String?
    let relyingParty: String
    let credentialID: Data
    /// The members by which the passkey is sent.
    let passkey: [String: JSONValue]
}

/// Prints no phone number and no name.
extension PendingSignUp: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "PendingSignUp(‹redacted›)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
