/// The ways to sign in, as sessions, audit and metrics name them.
package enum SignInMethod {
    package static let email = "email"
    package static let password = "password"

    /// The name of a provider of identity tokens: `apple`, or `oidc:` and the provider's name.
    package static func identityProvider(_ name: String) -> String {
        name == IdentityProviderPolicy.appleName ? name : "oidc:\(name)"
    }

    fileprivate static let passkeys = "passkey"

    /// The name of a passkey, by which its removal revokes the sessions that it opened.
    ///
    /// - Parameter id: the passkey's id, without a colon.
    package static func passkey(_ id: String) -> String { "\(passkeys):\(id)" }

    /// The label of a method in metrics: one for all passkeys.
    package static func label(_ method: String) -> String {
        method.hasPrefix(passkeys + ":") ? passkeys : method
    }

    /// The name of a service whose tokens prove phone numbers.
    package static func phoneTokens(_ name: String) -> String { "phone:\(name)" }
}

extension Policy {
    /// All ways to sign in, apart from review codes.
    package var signInMethods: [String] {
        PhoneChannel.allCases.map(\.rawValue) + [SignInMethod.email, SignInMethod.password]
            + identityProviders.map { SignInMethod.identityProvider($0.name) }
            + phoneTokens.map { SignInMethod.phoneTokens($0.name) }
            + (passkeys == nil ? [] : [SignInMethod.passkeys])
    }
}
