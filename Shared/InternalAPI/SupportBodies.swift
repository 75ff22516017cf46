package import AuthAPI

/// Requests the user with a phone number, an email address or an id; answered with `UserSummary`.
package struct FindUserRequest: Codable, Sendable, Equatable {
    /// A phone number or an email address in any spelling, a user id, or a provider's name, a colon and the subject there.
    package var key: String
    /// True if the key is the id that the user had in the system from which they were imported; `nil` otherwise.
    package var isLegacyID: Bool?

    package init(key: String, isLegacyID: Bool? = nil) {
        self.key = key
        self.isLegacyID = isLegacyID
    }
}

/// Requests a page of users, newest first; answered with `UserPage`.
package struct ListUsersRequest: Codable, Sendable, Equatable {
    /// 1 to `UserPage.usersMax`.
    package var limit: Int
    /// The `next` of the page before; `nil` for the first page.
    package var cursor: String?

    package init(limit: Int, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}

/// A page of users, newest first.
package struct UserPage: Codable, Sendable, Equatable {
    package static let usersMax = 200

    package var users: [UserSummary]
    /// The cursor of the next page; `nil` after the last one.
    package var next: String?
    /// The open invitations, only on the first page.
    package var invitations: [InvitationSummary]?
    /// The number of all users, if the page was requested by its offset.
    package var total: Int?

    package init(
        users: [UserSummary], next: String?, invitations: [InvitationSummary]? = nil, total: Int? = nil
    ) {
        self.total = total
        self.users = users
        self.next = next
        self.invitations = invitations
    }
}

/// A person who is invited and not yet a user.
package struct InvitationSummary: Codable, Sendable, Equatable {
    /// An email address or a phone number.
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

/// A user as support sees them; times are Unix seconds.
package struct UserSummary: Codable, Sendable, Equatable {
    package var id: String
    package var phoneNumber: String?
    package var email: String?
    package var name: String?
    package var role: String
    package var isActive: Bool
    package var createdAt: Int64
    /// `nil` for a user whose phone number went to another account, or who was imported and has not signed in since.
    package var lastSignInAt: Int64?
    /// When the data are removed; `nil` unless the removal is scheduled.
    package var deletionDueAt: Int64?
    /// The number of live sessions; `nil` while token-service does not respond.
    package var sessionCount: Int?
    /// The user's attributes that the policy declares; user-service always gives them.
    package var attributes: UserAttributes?
    /// `true` for an account that was created with a review code; `nil` for all others.
    package var isForReview: Bool?
    /// The delivery state of the email address, if a single user was requested; `nil` while otp-service does not respond.
    package var mail: MailStanding?
    /// Accounts at Apple and OpenID Connect providers; `nil` if there are none.
    package var identities: [ProviderAccount]?
    /// The id in the system from which the user was imported; `nil` for all others.
    package var legacyID: String?
    /// The id of the user whose account this one is part of now, since it was merged; `nil` for all others.
    package var mergedInto: String?
    /// The changes that wait, if a single user was requested; `nil` if there are none.
    package var pending: [PendingSummary]?
    /// When something of the user was changed last; `nil` for a user who was merged into another.
    package var updatedAt: Int64?
    /// Differs from that of every earlier state of the user; `nil` for a user who was merged into another.
    package var version: String?
    /// The user's metadata, if a single user was requested; `nil` if it is empty.
    package var metadata: UserMetadata?

    package init(
        id: String, phoneNumber: String?, email: String? = nil, name: String?, role: String, isActive: Bool,
        createdAt: Int64, lastSignInAt: Int64?, deletionDueAt: Int64?, sessionCount: Int? = nil,
        attributes: UserAttributes? = nil, isForReview: Bool? = nil, mail: MailStanding? = nil,
        identities: [ProviderAccount]? = nil, legacyID: String? = nil, mergedInto: String? = nil,
        updatedAt: Int64? = nil, version: String? = nil
    ) {
        (self.updatedAt, self.version) = (updatedAt, version)
        self.mergedInto = mergedInto
        self.legacyID = legacyID
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

/// A change of a user's identities, or the removal of their account, that waits, as support sees it.
package struct PendingSummary: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable {
        /// The user gets a phone number.
        case phone
        /// The user's account gets another one, or becomes a part of it.
        case merge
        /// The user's second factors are removed.
        case secondFactor = "second_factor"
        /// The account is removed, because its user was away for long.
        case inactivity
    }

    package var kind: Kind
    /// Unix time in seconds; `nil` until the owner of the phone number has verified it.
    package var movesAt: Int64?
    /// The phone number in E.164; only with `phone`.
    package var number: String?
    /// The id of the account that becomes a part of the user's; only with `merge`.
    package var from: String?
    /// The id of the account of which the user's becomes a part; only with `merge`.
    package var into: String?

    package init(
        _ kind: Kind, movesAt: Int64?, number: String? = nil, from: String? = nil, into: String? = nil
    ) {
        (self.kind, self.movesAt, self.number, self.from, self.into) = (kind, movesAt, number, from, into)
    }
}
