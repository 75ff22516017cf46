/// A proof by the user's second factor.
public enum SecondFactor: Sendable, Equatable {
    /// A passkey, by the system's sheet.
    case passkey
    /// The code of the user's authenticator app; spaces and hyphens do not count.
    case totp(String)
    /// One of the user's recovery codes. It works once.
    case recoveryCode(String)
}

/// Prints no code.
extension SecondFactor: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "SecondFactor(‹redacted›)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A sign-in whose first proof is accepted, and that needs a second one within five minutes.
public struct PendingSecondFactor: Sendable, Equatable {
    /// The server's token for ``LatchkeyAuth/signInWithSecondFactor(_:_:)``.
    let token: String
    /// The user's methods: `totp`, `passkey`, `recovery`.
    public let methods: [String]
}

/// Prints no token.
extension PendingSecondFactor: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "PendingSecondFactor(\(methods.joined(separator: ", ")))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["methods": methods]) }
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

extension PendingSecondFactor {
    /// Reads a refusal with `second_factor_required`, or returns `nil` without a token.
    init?(_ reply: Reply) {
        guard let token = reply.member("mfaToken")?.text else { return nil }
        self.init(token: token, methods: reply.member("methods")?.texts ?? [])
    }
}

extension SecondFactors {
    /// Reads the response, or returns `nil` if it is not the expected JSON.
    init?(_ json: JSONValue) {
        guard let members = json.members, case .boolean(let hasTOTP)? = members["totp"] else { return nil }
        self.init(
            hasTOTP: hasTOTP, isRequired: members["required"] == .boolean(true),
            recoveryCodesLeft: members["recoveryCodesLeft"]?.whole.flatMap { Int(exactly: $0) } ?? 0,
            passkeys: members["passkeys"]?.whole.flatMap { Int(exactly: $0) } ?? 0)
    }
}
