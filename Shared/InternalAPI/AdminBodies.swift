/// A request of an administrator to user-service.
package struct AdminRequest<Body: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    package var body: Body
    /// The administrator's reason, for the audit; `nil` if they gave none.
    package var reason: String?
    /// The versions of the user of which the current one must be one; `nil` if it may be any.
    package var versions: [String]?

    package init(_ body: Body, reason: String? = nil, versions: [String]? = nil) {
        (self.body, self.reason, self.versions) = (body, reason, versions)
    }
}

/// Revokes all sessions of a user, or one of them.
package struct EndUserSessionsRequest: Codable, Sendable, Equatable {
    package var userID: String
    /// `nil` for all of them.
    package var sessionID: String?

    package init(userID: String, sessionID: String? = nil) { (self.userID, self.sessionID) = (userID, sessionID) }
}

/// Requests a page of users; answered with `UserPage`.
package struct SearchUsersRequest: Codable, Sendable, Equatable {
    package static let usersMax = 100

    /// 1 to `usersMax`.
    package var limit: Int
    /// The `next` of the page before; `nil` for the first page.
    package var cursor: String?
    /// A user's id, or a phone number or an email address or its beginning; `nil` for all users, newest first.
    package var search: String?
    /// Only users that were changed at this Unix time in seconds or later; not together with `search`.
    package var changedSince: Int64?
    /// The number of users before the page, in place of a cursor. The answer has the number of all users then.
    package var offset: Int?

    package init(
        limit: Int, cursor: String? = nil, search: String? = nil, changedSince: Int64? = nil, offset: Int? = nil
    ) {
        self.offset = offset
        (self.limit, self.cursor, self.search, self.changedSince) = (limit, cursor, search, changedSince)
    }
}

/// Creates a user whose phone number or email address the administrator has checked, or will have checked.
package struct CreateUserRequest: Codable, Sendable, Equatable {
    package var phone: String?
    package var email: String?
    /// Whether the address is known to be the user's; required with `email`.
    package var emailVerified: Bool?
    package var name: String?
    /// The role; `nil` means the default role. Another one needs a phone number or a verified email address.
    package var role: String?
    /// The id that the user gets; `nil` for a new one.
    package var id: String?
    package var password: String?
    /// A hash in one of the forms of an import, in place of a password.
    package var passwordHash: String?
    package var isActive: Bool?
    package var metadata: ImportedMetadata?
    /// Identifies the call, so that a repeat creates nothing more.
    package var callID: String

    package init(
        phone: String? = nil, email: String? = nil, emailVerified: Bool? = nil, name: String? = nil,
        role: String? = nil, id: String? = nil, password: String? = nil, passwordHash: String? = nil,
        isActive: Bool? = nil, metadata: ImportedMetadata? = nil, callID: String
    ) {
        (self.id, self.password, self.passwordHash) = (id, password, passwordHash)
        (self.isActive, self.metadata) = (isActive, metadata)
        (self.phone, self.email, self.emailVerified) = (phone, email, emailVerified)
        (self.name, self.role, self.callID) = (name, role, callID)
    }
}
