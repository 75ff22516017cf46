/// Changes a user's role, active state or attributes; members that are `nil` stay unchanged.
package struct ChangeUserRequest: Codable, Sendable, Equatable {
    package var userID: String
    package var role: String?
    package var isActive: Bool?
    /// Attributes by name, as the operator wrote them; the policy defines their types.
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

/// Exchanges an attestation for a grant, and finds or creates the user.
package struct ResolveRequest: Codable, Sendable, Equatable {
    package var attestation: String
    /// The name that a new user gave with the code.
    package var name: String?

    package init(attestation: String, name: String?) {
        self.attestation = attestation
        self.name = name
    }
}

package struct ResolveAnswer: Codable, Sendable, Equatable {
    /// The grant, sealed for token-service.
    package var grant: String
    package var isNewUser: Bool
    /// Whether the account was scheduled for deletion and this sign-in restored it.
    package var restored: Bool
    package var user: UserDetails

    package init(grant: String, isNewUser: Bool, restored: Bool, user: UserDetails) {
        self.grant = grant
        self.isNewUser = isNewUser
        self.restored = restored
        self.user = user
    }
}
