/// A successful sign-in.
public struct SignIn: Sendable, Equatable {
    public let user: User
    /// Whether the user did not exist before: show the onboarding.
    public let isNewUser: Bool
    /// Whether the sign-in cancelled a scheduled deletion of the account.
    public let wasRestored: Bool
}

/// The result of Sign in with Apple, from `ASAuthorizationAppleIDCredential`.
public struct AppleCredential: Sendable, Equatable {
    /// `identityToken` as text.
    public var identityToken: String
    /// `authorizationCode` as text. The server needs it to revoke Apple's tokens when the account is deleted.
    public var authorizationCode: String?
    /// The random value whose SHA-256, as lower-case hexadecimal digits, was the request's `nonce`.
    public var nonce: String?
    /// The name, which Apple gives at the first sign-in only. Keep it until the sign-in has succeeded.
    public var fullName: String?
    public var email: String?

    public init(
        identityToken: String, authorizationCode: String? = nil, nonce: String? = nil, fullName: String? = nil,
        email: String? = nil
    ) {
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.fullName = fullName
        self.email = email
    }
}

extension AppleCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "AppleCredential(‹redacted›)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
