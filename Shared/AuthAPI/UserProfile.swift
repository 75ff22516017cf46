/// A user as clients see it (howru section 3, `user`); times are Unix seconds.
public struct UserProfile: Codable, Sendable, Equatable {
    /// Opaque, e.g. `usr_` and 32 hexadecimal digits.
    public var id: String
    public var phoneNumber: String?
    public var email: String?
    public var name: String?
    public var isChecker: Bool
    public var role: String
    public var createdAt: Int64

    public init(
        id: String, phoneNumber: String?, email: String? = nil, name: String?, isChecker: Bool, role: String,
        createdAt: Int64
    ) {
        self.id = id
        self.phoneNumber = phoneNumber
        self.email = email
        self.name = name
        self.isChecker = isChecker
        self.role = role
        self.createdAt = createdAt
    }
}

/// Body of `PATCH /users/me`: members that are absent stay as they are; others than these cannot be assigned.
public struct UserUpdate: Codable, Sendable, Equatable {
    public var name: String?
    public var isChecker: Bool?

    public init(name: String? = nil, isChecker: Bool? = nil) {
        self.name = name
        self.isChecker = isChecker
    }
}
