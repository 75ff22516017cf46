public import Foundation

/// A proof by the user's second factor.
public enum SecondFactor: Sendable, Equatable {
    /// A passkey, by the system's sheet.
    case passkey
    /// The code of the user's authenticator app; spaces and hyphens do not count.
    case totp(String)
    /// One of the user's recovery codes. It works once.
    case recoveryCode(String)
}

extension SecondFactor {
    /// The member of a request that has the code, by the name of the app's code there; `nil` for a passkey.
    func member(totp name: String) -> [String: JSONValue?]? {
        switch self {
        case .passkey: nil
        case .totp(let code): [name: .string(PendingCode.digits(of: code))]
        case .recoveryCode(let code): ["recoveryCode": .string(code.trimmingCharacters(in: .whitespacesAndNewlines))]
        }
    }
}

/// Prints no code.
extension SecondFactor: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "SecondFactor(‹redacted›)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The server's permission to finish a sign-in by a second factor, for five minutes.
public struct MfaToken: Sendable, Equatable {
    /// The token as text.
    public let text: String

    /// Creates the token of a response that the app has received itself.
    public init(_ text: String) { self.text = text }
}

/// Prints no token.
extension MfaToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "MfaToken(‹redacted›)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The user's second factors.
public struct SecondFactors: Sendable, Equatable {
    /// Whether the codes of an authenticator app are turned on.
    public let hasTOTP: Bool
    /// Whether each sign-in by a code, a password or a provider needs a second factor.
    public let isRequired: Bool
    public let recoveryCodesLeft: Int
    /// The number of passkeys.
    public let passkeys: Int
    /// The time from which the authenticator app counts, if that is still to come. The user can object until then.
    public let activeFrom: Date?
    /// The time at which support removes the second factors, or `nil` if it does not.
    public let resetAt: Date?
}

/// A secret for the user's authenticator app.
public struct TOTPSecret: Sendable, Equatable {
    /// The secret in Base32, for a user who has to type it.
    public let secret: String
    /// The `otpauth` URL, to be opened, or shown as a QR code.
    public let uri: String
}

/// Prints no secret.
extension TOTPSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "TOTPSecret(‹redacted›)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SecondFactors {
    /// Reads the response, or returns `nil` if it is not the expected JSON.
    init?(_ json: JSONValue) {
        guard let members = json.members, case .boolean(let hasTOTP)? = members["totp"] else { return nil }
        self.init(
            hasTOTP: hasTOTP, isRequired: members["required"] == .boolean(true),
            recoveryCodesLeft: members["recoveryCodesLeft"]?.whole.flatMap { Int(exactly: $0) } ?? 0,
            passkeys: members["passkeys"]?.whole.flatMap { Int(exactly: $0) } ?? 0,
            activeFrom: members["activeFrom"]?.whole.map(Date.init(unixSeconds:)),
            resetAt: members["resetAt"]?.whole.map(Date.init(unixSeconds:)))
    }
}
