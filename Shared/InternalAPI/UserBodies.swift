/// Changes a user's role, whether he may use his account, or his attributes; what is nil stays.
package struct ChangeUserRequest: Codable, Sendable, Equatable {
    package var userID: String
    package var role: String?
    package var isActive: Bool?
    /// Attributes by name, as the operator wrote them: their types are the policy's.
    package var attributes: [String: String]?

    package init(
        userID: String, role: String? = nil, isActive: Bool? = nil, attributes: [String: String]? = nil
    ) {
        self.userID = userID
        self.role = role
        self.isActive = isActive
        self.attributes = attributes
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
    package var user: UserDetails

    package init(grant: String, isNewUser: Bool, restored: Bool, user: UserDetails) {
        self.grant = grant
        self.isNewUser = isNewUser
        self.restored = restored
        self.user = user
    }
}
