package import AuthAPI

/// Asks for the one user of a number, an address or an id; answered with `UserSummary`.
package struct FindUserRequest: Codable, Sendable, Equatable {
    /// A phone number or an email address in any spelling, a user id, or a provider's name, a colon and a subject there.
    package var key: String

    package init(key: String) { self.key = key }
}

/// Asks for a page of users, newest first; answered with `UserPage`.
package struct ListUsersRequest: Codable, Sendable, Equatable {
    /// 1 to `UserPage.usersMax`.
    package var limit: Int
    /// The `next` of the page before; nil: the first one.
    package var cursor: String?

    package init(limit: Int, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

/// Users as they follow one another, newest first.
package struct UserPage: Codable, Sendable, Equatable {
    package static let usersMax = 200

    package var users: [UserSummary]
    /// The cursor of the next page; nil after the last one.
    package var next: String?
    /// Those that are open, on the first page; nil from a user-service of the release before.
    package var invitations: [InvitationSummary]?

    package init(users: [UserSummary], next: String?, invitations: [InvitationSummary]? = nil) {
        self.users = users
        self.next = next
        self.invitations = invitations
    }
}

/// Somebody who is invited and no user yet.
package struct InvitationSummary: Codable, Sendable, Equatable {
    /// An address or a number.
    package var to: String
    package var role: String
    /// Unix time in seconds.
    package var expiresAt: Int64

    package init(to: String, role: String, expiresAt: Int64) {
        self.to = to
        self.role = role
        self.expiresAt = expiresAt
    }
}

/// What support sees of a user; times are Unix seconds.
package struct UserSummary: Codable, Sendable, Equatable {
    package var id: String
    package var phoneNumber: String?
    package var email: String?
    package var name: String?
    package var role: String
    package var isActive: Bool
    package var createdAt: Int64
    /// Nil for a user whose number went to another account, or who was moved in and has not signed in since.
    package var lastSignInAt: Int64?
    /// When the data are removed; nil unless that is scheduled.
    package var deletionDueAt: Int64?
    /// Live sessions; nil while token-service does not say.
    package var sessionCount: Int?
    /// Those that the policy declares and that the user has; nil from a user-service of the release before.
    package var attributes: UserAttributes?
    /// True for an account that the code of a store's reviewers has made; nil for all others.
    package var isForReview: Bool?
    /// Of the address, where one user is looked for; `nil` while otp-service does not say.
    package var mail: MailStanding?
    /// Accounts at Apple and OpenID Connect providers; `nil` if there are none.
    package var identities: [ProviderAccount]?

    package init(
        id: String, phoneNumber: String?, email: String? = nil, name: String?, role: String, isActive: Bool,
        createdAt: Int64, lastSignInAt: Int64?, deletionDueAt: Int64?, sessionCount: Int? = nil,
        attributes: UserAttributes? = nil, isForReview: Bool? = nil, mail: MailStanding? = nil,
        identities: [ProviderAccount]? = nil
    ) {
        self.identities = identities
        self.id = id
        self.phoneNumber = phoneNumber
        self.email = email
        self.name = name
        self.role = role
        self.isActive = isActive
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
        self.deletionDueAt = deletionDueAt
        self.sessionCount = sessionCount
        self.attributes = attributes
        self.isForReview = isForReview
        self.mail = mail
    }
}
