package import StrictJSON

/// A user to import from another system.
package struct ImportedUser: Codable, Sendable, Equatable {
    /// The user's id here: a UUID, or an id in Latchkey's own form; `nil` creates a new one.
    package var id: String?
    /// The user's id in the other system, unique among users.
    package var legacyID: String?
    package var email: String?
    /// Whether the other system has verified that the address belongs to the user; required with `email`.
    package var emailVerified: Bool?
    package var phone: String?
    package var name: String?
    package var role: String?
    package var isActive: Bool?
    /// Unix time in seconds.
    package var createdAt: Int64?
    /// A password hash in one of the forms that `ForeignHash` reads.
    package var passwordHash: String?
    /// Accounts at Apple and OpenID Connect providers; at most `identitiesMax`.
    package var identities: [ProviderAccount]?
    /// The user's metadata from the start.
    package var metadata: ImportedMetadata?

    package static let identitiesMax = 16

    package init(
        id: String? = nil, legacyID: String? = nil, email: String? = nil, emailVerified: Bool? = nil,
        phone: String? = nil, name: String? = nil, role: String? = nil, isActive: Bool? = nil, createdAt: Int64? = nil,
        passwordHash: String? = nil, identities: [ProviderAccount]? = nil, metadata: ImportedMetadata? = nil
    ) {
        self.metadata = metadata
        self.identities = identities
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

/// The metadata of a user to import; a missing object is empty.
package struct ImportedMetadata: Codable, Sendable, Equatable {
    package var app: JSONValue?
    package var own: JSONValue?

    package init(app: JSONValue? = nil, own: JSONValue? = nil) { (self.app, self.own) = (app, own) }
}

/// Imports users; all valid ones are added in one transaction.
package struct ImportUsersRequest: Codable, Sendable, Equatable {
    package static let usersMax = 100

    package var users: [ImportedUser]

    package init(users: [ImportedUser]) { self.users = users }
}

/// The result of each user of a request, in their order.
package struct ImportUsersAnswer: Codable, Sendable, Equatable {
    package var results: [ImportResult]

    package init(results: [ImportResult]) { self.results = results }
}

/// The result of importing one user.
package struct ImportResult: Codable, Sendable, Equatable {
    /// The user's id, whether they were added now or before; `nil` if they cannot be added.
    package var userID: String?
    /// Whether the user was added now.
    package var isAdded: Bool
    /// Why the user cannot be added, in words for the operator.
    package var problem: String?
    /// The reason why the user was added without a password, in words for the operator.
    package var note: String?

    package init(userID: String? = nil, isAdded: Bool = false, problem: String? = nil, note: String? = nil) {
        self.userID = userID
        self.isAdded = isAdded
        self.problem = problem
        self.note = note
    }
}
