package import AuthAPI

/// A user as user-service describes them to the gateway, whose dialects map this to their own forms; times are Unix
/// seconds.
package struct UserDetails: Sendable, Equatable {
    /// Opaque, e.g. `usr_` and 32 hexadecimal digits.
    package var id: String
    package var phoneNumber: String?
    package var email: String?
    package var name: String?
    package var role: String
    package var createdAt: Int64
    /// The user's attributes that the policy declares, defaults included.
    package var attributes: UserAttributes

    package init(
        id: String, phoneNumber: String?, email: String? = nil, name: String?, role: String, createdAt: Int64,
        attributes: UserAttributes
    ) {
        self.id = id
        self.phoneNumber = phoneNumber
        self.email = email
        self.name = name
        self.role = role
        self.createdAt = createdAt
        self.attributes = attributes
    }
}

/// Changes the bearer's own profile. A member that is missing keeps its value.
package struct UpdateUserRequest: Sendable, Equatable {
    /// The new name.
    package var name: String?
    /// Whether the name is removed.
    package var removesName: Bool
    package var attributes: UserAttributes

    package init(
        name: String? = nil, removesName: Bool = false, attributes: UserAttributes = UserAttributes()
    ) {
        self.name = name
        self.removesName = removesName
        self.attributes = attributes
    }
}

// Release 0.6 does not know `attributes`, and expects `isChecker` as a member of every user. During an upgrade it exchanges
// users with this release, so both forms are written and read. The next release drops `isChecker` here.

extension UserDetails: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, phoneNumber, email, name, isChecker, role, createdAt, attributes
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(String.self, forKey: .id)
        phoneNumber = try members.decodeIfPresent(String.self, forKey: .phoneNumber)
        email = try members.decodeIfPresent(String.self, forKey: .email)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        role = try members.decode(String.self, forKey: .role)
        createdAt = try members.decode(Int64.self, forKey: .createdAt)
        attributes =
            try members.decodeIfPresent(UserAttributes.self, forKey: .attributes)
            ?? UserAttributes(isChecker: try members.decodeIfPresent(Bool.self, forKey: .isChecker))
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encodeIfPresent(phoneNumber, forKey: .phoneNumber)
        try members.encodeIfPresent(email, forKey: .email)
        try members.encodeIfPresent(name, forKey: .name)
        // A gateway of 0.6 rejects a user without it, whatever the policy says.
        try members.encode(attributes.isChecker ?? false, forKey: .isChecker)
        try members.encode(role, forKey: .role)
        try members.encode(createdAt, forKey: .createdAt)
        try members.encode(attributes, forKey: .attributes)
    }
}

extension UpdateUserRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, removesName, isChecker, attributes
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        name = try members.decodeIfPresent(String.self, forKey: .name)
        removesName = try members.decodeIfPresent(Bool.self, forKey: .removesName) ?? false
        let isChecker = try members.decodeIfPresent(Bool.self, forKey: .isChecker)
        attributes =
            try members.decodeIfPresent(UserAttributes.self, forKey: .attributes)
            ?? UserAttributes(isChecker: isChecker)
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(name, forKey: .name)
        if removesName { try members.encode(true, forKey: .removesName) }
        try members.encodeIfPresent(attributes.isChecker, forKey: .isChecker)
        try members.encode(attributes, forKey: .attributes)
    }
}

extension UserAttributes {
    private static let isCheckerName = "isChecker"

    fileprivate init(isChecker: Bool?) {
        self.init(isChecker.map { [Self.isCheckerName: .boolean($0)] } ?? [:])
    }

    fileprivate var isChecker: Bool? {
        if case .boolean(let isChecker) = self[Self.isCheckerName] { isChecker } else { nil }
    }
}
