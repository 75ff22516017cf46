package import AuthAPI

/// Changes a user's role, or whether he may use his account; what is nil stays.
package struct ChangeUserRequest: Codable, Sendable, Equatable {
    package var userID: String
    package var role: String?
    package var isActive: Bool?

    package init(userID: String, role: String? = nil, isActive: Bool? = nil) {
        self.userID = userID
        self.role = role
        self.isActive = isActive
    }
}

/// Turns an attestation into a grant, finding or making the user.
package struct ResolveRequest: Codable, Sendable, Equatable {
    package var attestation: String
    /// The name a new user gave with the code.
    package var name: String?

    package init(attestation: String, name: String?) {
        self.attestation = attestation
        self.name = name
    }
}

package struct ResolveAnswer: Codable, Sendable, Equatable {
    /// Sealed for token-service.
    package var grant: String
    package var isNewUser: Bool
    /// The account was to be deleted and has been restored by this sign-in.
    package var restored: Bool
    package var user: UserProfile

    package init(grant: String, isNewUser: Bool, restored: Bool, user: UserProfile) {
        self.grant = grant
        self.isNewUser = isNewUser
        self.restored = restored
        self.user = user
    }
}
