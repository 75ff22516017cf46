/// A second factor after a code, a password or a provider's token (section `mfa`).
package struct SecondFactorPolicy: Sendable, Equatable {
    /// Whether users can turn on one-time passwords of an authenticator app.
    package var totp = true
    /// The roles whose users have no rights of the role without a second factor.
    package var requiredForRoles: [String] = []

    package init() {}
}

extension SecondFactorPolicy {
    static let keys: [Key<Self>] = [
        Key("totp", \.totp, .flag, "Whether users can turn on one-time passwords of an authenticator app."),
        Key(
            "requiredForRoles", \.requiredForRoles, .values(0...16, .name),
            "The roles for which a second factor is needed. Without one, a user who has the role can sign in and turn one on.",
            example: "[admin]"),
    ]
}
