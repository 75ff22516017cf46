/// A user as clients of the native dialect see them (howru section 3, `user`); times are Unix seconds.
public struct UserProfile: Sendable, Equatable {
    /// Opaque, e.g. `usr_` and 32 hexadecimal digits.
    public var id: String
    public var phoneNumber: String?
    public var email: String?
    public var name: String?
    /// The attributes that the policy declares, such as howru's `isChecker`; each is a JSON member of its own.
    public var attributes: UserAttributes
    public var role: String
    public var createdAt: Int64

    public init(
        id: String, phoneNumber: String?, email: String? = nil, name: String?, attributes: UserAttributes,
        role: String, createdAt: Int64
    ) {
        self.id = id
        self.phoneNumber = phoneNumber
        self.email = email
        self.name = name
        self.attributes = attributes
        self.role = role
        self.createdAt = createdAt
    }
}

extension UserProfile: Codable {
    private enum Common: String, CaseIterable {
        case id, phoneNumber, email, name, role, createdAt

        var member: MemberName { MemberName(rawValue) }
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        id = try members.decode(String.self, forKey: Common.id.member)
        phoneNumber = try members.decodeIfPresent(String.self, forKey: Common.phoneNumber.member)
        email = try members.decodeIfPresent(String.self, forKey: Common.email.member)
        name = try members.decodeIfPresent(String.self, forKey: Common.name.member)
        role = try members.decode(String.self, forKey: Common.role.member)
        createdAt = try members.decode(Int64.self, forKey: Common.createdAt.member)
        attributes = UserAttributes()
        for member in members.allKeys where Common(rawValue: member.stringValue) == nil {
            do {
                attributes[member.stringValue] = try members.decode(AttributeValue.self, forKey: member)
            } catch is DecodingError {
                // A member of a later release, with a type that no attribute has.
                continue
            }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: MemberName.self)
        try members.encode(id, forKey: Common.id.member)
        // null, not absent: howru sends both members for every user.
        try members.encode(phoneNumber, forKey: Common.phoneNumber.member)
        try members.encodeIfPresent(email, forKey: Common.email.member)
        try members.encode(name, forKey: Common.name.member)
        for (name, value) in attributes.inOrder { try members.encode(value, forKey: MemberName(name)) }
        try members.encode(role, forKey: Common.role.member)
        try members.encode(createdAt, forKey: Common.createdAt.member)
    }
}
