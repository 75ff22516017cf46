package import AuthAPI

/// A user as user-service describes them to the gateway, whose dialects map this to their own forms; times are Unix
/// seconds.
package struct UserDetails: Codable, Sendable, Equatable {
    /// Opaque, e.g. `usr_` and 32 hexadecimal digits.
    package var id: String
    package var phoneNumber: String?
    package var email: String?
    package var name: String?
    package var role: String
    package var createdAt: Int64
    /// The user's attributes that the policy declares, defaults included.
    package var attributes: UserAttributes
    /// The user's metadata, only for the user's own profile; `nil` if it is empty.
    package var metadata: UserMetadata?
    /// Unix time in seconds at which a code to the phone number last showed that it is the user's. Only for the user's own profile.
    package var phoneVerifiedAt: Int64?

    package init(
        id: String, phoneNumber: String?, email: String? = nil, name: String?, role: String, createdAt: Int64,
        attributes: UserAttributes, metadata: UserMetadata? = nil
    ) {
        self.id = id
        self.phoneNumber = phoneNumber
        self.email = email
        self.name = name
        self.role = role
        self.createdAt = createdAt
        self.attributes = attributes
        self.metadata = metadata
    }
}

/// Changes the bearer's own profile. A missing name and attributes that are not among the given ones keep their values.
package struct UpdateUserRequest: Codable, Sendable, Equatable {
    /// The new name.
    package var name: String?
    /// `true` if the name is removed; `nil` otherwise.
    package var removesName: Bool?
    package var attributes: UserAttributes
    /// A JSON merge patch of `own`, as JSON; `nil` for no change.
    package var ownPatch: String?

    package init(
        name: String? = nil, removesName: Bool? = nil, attributes: UserAttributes = UserAttributes(),
        ownPatch: String? = nil
    ) {
        self.name = name
        self.removesName = removesName
        self.attributes = attributes
        self.ownPatch = ownPatch
    }
}
