/// The ways to sign in, as sessions, audit and metrics name them.
package enum SignInMethod {
    package static let email = "email"
    package static let password = "password"

    /// The name of a provider of identity tokens: `apple`, or `oidc:` and the provider's name.
    package static func identityProvider(_ name: String) -> String {
        name == IdentityProviderPolicy.appleName ? name : "oidc:\(name)"
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
            + (passkeys == nil ? [] : ["passkey"])
    }
}
