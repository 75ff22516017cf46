public import Foundation

// The declarations of AuthenticationServices that the library uses.

public protocol ASAuthorizationCredential: AnyObject {}

open class ASAuthorization {
    public struct Scope: Hashable, Sendable {
        public static let fullName = Scope(name: "full_name")
        public static let email = Scope(name: "email")
        let name: String
    }

    public let credential: any ASAuthorizationCredential

    public init(credential: any ASAuthorizationCredential) { self.credential = credential }
}

open class ASAuthorizationAppleIDRequest {
    public var requestedScopes: [ASAuthorization.Scope]?
    public var nonce: String?

    public init() {}
}

open class ASAuthorizationAppleIDCredential: ASAuthorizationCredential {
    public let user: String
    public let identityToken: Data?
    public let authorizationCode: Data?
    public let fullName: PersonNameComponents?
    public let email: String?

    public init(
        user: String, identityToken: Data?, authorizationCode: Data?, fullName: PersonNameComponents?, email: String?
    ) {
        (self.user, self.identityToken, self.authorizationCode) = (user, identityToken, authorizationCode)
        (self.fullName, self.email) = (fullName, email)
    }
}

extension PersonNameComponents {
    /// Foundation's on Apple's systems, which knows the order of names in each language.
    public func formatted() -> String { [givenName, familyName].compactMap(\.self).joined(separator: " ") }
}
