public import Foundation

/// One of the ways in which a user signs in.
public struct Identity: Sendable, Equatable, Identifiable {
    /// The id by which it is removed.
    public let id: String
    /// `phone`, `email`, `apple` or `oidc`.
    public let kind: String
    /// The provider's name, or `nil` for a phone number or an email address.
    public let provider: String?
    /// The phone number or email address, or `nil` for an account at a provider.
    public let value: String?
    /// The time from which it signs in.
    public let addedAt: Date
}

/// All ways in which a user signs in.
public struct Identities: Sendable, Equatable {
    public let identities: [Identity]
    public let hasPassword: Bool
    /// A change of the phone number that support has begun, or `nil`. ``LatchkeyAuth/cancelPhoneChange()`` stops it.
    public let pendingPhone: PendingPhone?
    /// A merge with another account that waits, or `nil`. ``LatchkeyAuth/cancelMerge()`` stops it.
    public let pendingMerge: PendingMerge?
}

/// A merge that waits, so that the users of both accounts can stop it.
public struct PendingMerge: Sendable, Equatable {
    /// The time of the merge.
    public let movesAt: Date
    /// Whether this account becomes a part of the other one; otherwise it is the one that stays.
    public let isIntoAnother: Bool
}

/// A phone number that becomes the user's.
public struct PendingPhone: Sendable, Equatable {
    /// The time at which it does.
    public let movesAt: Date
    /// The last two digits of the new number.
    public let lastDigits: String
}

/// The way in which a code reaches the user's own phone or address.
public enum ProofChannel: String, Sendable {
    case sms
    case call
    case whatsapp
    case email
}

/// Where both accounts of a merge have a phone number, the one that stays.
public enum KeptPhone: String, Sendable {
    case own
    case other
}

extension PendingPhone {
    /// A pending number as the server's JSON describes it, or `nil` without a time.
    init?(_ json: JSONValue?) {
        guard let members = json?.members, let seconds = members["movesAt"]?.whole else { return nil }
        self.init(movesAt: Date(unixSeconds: seconds), lastDigits: members["lastDigits"]?.text ?? "")
    }
}

extension PendingMerge {
    /// A pending merge as the server's JSON describes it, or `nil` without a time.
    init?(_ json: JSONValue?) {
        guard let members = json?.members, let seconds = members["movesAt"]?.whole else { return nil }
        self.init(
            movesAt: Date(unixSeconds: seconds), isIntoAnother: members["intoAnother"] == .boolean(true))
    }
}

extension Identity {
    /// An identity as the server's JSON describes it, or `nil` if a member is missing.
    init?(_ json: JSONValue) {
        guard let members = json.members, let id = members["id"]?.text, let kind = members["kind"]?.text,
            let added = members["addedAt"]?.whole
        else { return nil }
        self.init(
            id: id, kind: kind, provider: members["provider"]?.text, value: members["value"]?.text,
            addedAt: Date(unixSeconds: added))
    }
}

/// Prints no phone number and no address.
extension Identity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "Identity(\(id), \(kind))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["id": id, "kind": kind]) }
}
