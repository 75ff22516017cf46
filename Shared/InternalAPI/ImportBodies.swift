/// A user as he comes from another system.
package struct ImportedUser: Codable, Sendable, Equatable {
    /// The id that he keeps: a UUID, or an id of ours; nil: a new one.
    package var id: String?
    /// What he was called there; no two users have the same.
    package var legacyID: String?
    package var email: String?
    /// Whether that system knows that the address is his; needed with `email`.
    package var emailVerified: Bool?
    package var phone: String?
    package var name: String?
    package var role: String?
    package var isActive: Bool?
    /// Unix time in seconds.
    package var createdAt: Int64?
    /// In one of the forms that `ForeignHash` reads.
    package var passwordHash: String?

    package init(
        id: String? = nil, legacyID: String? = nil, email: String? = nil, emailVerified: Bool? = nil,
        phone: String? = nil, name: String? = nil, role: String? = nil, isActive: Bool? = nil, createdAt: Int64? = nil,
        passwordHash: String? = nil
    ) {
        self.id = id
        self.legacyID = legacyID
        self.email = email
        self.emailVerified = emailVerified
        self.phone = phone
        self.name = name
        self.role = role
        self.isActive = isActive
        self.createdAt = createdAt
        self.passwordHash = passwordHash
    }
}

/// Moves users in; all of them that can be are added in one transaction.
package struct ImportUsersRequest: Codable, Sendable, Equatable {
    package static let usersMax = 100

    package var users: [ImportedUser]

    package init(users: [ImportedUser]) { self.users = users }
}

/// What became of each, in their order.
package struct ImportUsersAnswer: Codable, Sendable, Equatable {
    package var results: [ImportResult]

    package init(results: [ImportResult]) { self.results = results }
}

/// What became of one.
package struct ImportResult: Codable, Sendable, Equatable {
    /// His id, whether he was added now or before; nil for one who cannot be added.
    package var userID: String?
    /// Whether he was added now.
    package var isAdded: Bool
    /// Why he cannot be added, in words for the operator.
    package var problem: String?

    package init(userID: String? = nil, isAdded: Bool = false, problem: String? = nil) {
        self.userID = userID
        self.isAdded = isAdded
        self.problem = problem
    }
}
