/// Changes a user's role, active state, attributes or metadata; members that are `nil` stay unchanged.
package struct ChangeUserRequest: Codable, Sendable, Equatable {
    package var userID: String
    package var role: String?
    package var isActive: Bool?
    /// Attributes by name, as the operator wrote them; the policy defines their types.
    package var attributes: [String: String]?
    /// Another name; empty for none.
    package var name: String?
    /// Another phone number.
    package var phone: String?
    /// Whether a change of the phone number ends no session; absent if it ends all.
    package var keepsSessions: Bool?
    /// Another email address, which is verified once its owner opens the mailed link.
    package var email: String?
    /// A JSON merge patch of the metadata's `app`, as JSON; `nil` for no change.
    package var appPatch: String?
    /// A JSON merge patch of the metadata's `own`, as JSON; `nil` for no change.
    package var ownPatch: String?

    package init(
        userID: String, role: String? = nil, isActive: Bool? = nil, attributes: [String: String]? = nil,
        name: String? = nil, phone: String? = nil, keepsSessions: Bool? = nil, email: String? = nil,
        appPatch: String? = nil, ownPatch: String? = nil
    ) {
        (self.appPatch, self.ownPatch) = (appPatch, ownPatch)
        (self.name, self.phone, self.keepsSessions, self.email) = (name, phone, keepsSessions, email)
        self.userID = userID
        self.role = role
        self.isActive = isActive
        self.attributes = attributes
    }
}

/// The result of a change of a user by the operator.
package struct ChangedUser: Codable, Sendable, Equatable {
    /// The names of what changed; empty if everything was so already.
    package var changed: [String]
    /// The account that lost the phone number, and waits for its deletion without it.
    package var takenFrom: String?
    /// Whether all sessions ended.
    package var endsSessions: Bool
    /// `true` if no active administrator is left; `nil` otherwise.
    package var leavesNoAdministrator: Bool?

    package init(
        changed: [String], takenFrom: String? = nil, endsSessions: Bool = false, leavesNoAdministrator: Bool? = nil
    ) {
        (self.changed, self.takenFrom, self.endsSessions) = (changed, takenFrom, endsSessions)
        self.leavesNoAdministrator = leavesNoAdministrator
    }
}

/// The numbers of users.
package struct UserCounts: Codable, Sendable, Equatable {
    package var users: Int64
    /// Users that the operator deactivated.
    package var inactive: Int64
    /// Users whose accounts wait for their deletion.
    package var scheduled: Int64
    /// Accounts of an app store's reviewers.
    package var reviewers: Int64

    package init(users: Int64, inactive: Int64, scheduled: Int64, reviewers: Int64) {
        (self.users, self.inactive, self.scheduled, self.reviewers) = (users, inactive, scheduled, reviewers)
    }
}

/// Exchanges an attestation for a grant, and finds or creates the user.
package struct ResolveRequest: Codable, Sendable, Equatable {
    package var attestation: String
    /// The name that a new user gave with the code.
    package var name: String?
    /// Whether the person wants a new account with a phone number whose user was away for months.
    package var newAccount: Bool?
    /// The client; `nil` if nothing is recorded about it.
    package var origin: SignInOrigin?

    package init(attestation: String, name: String?, newAccount: Bool? = nil, origin: SignInOrigin? = nil) {
        self.attestation = attestation
        self.name = name
        self.newAccount = newAccount
        self.origin = origin
    }
}

package struct ResolveAnswer: Codable, Sendable, Equatable {
    /// The grant, sealed for token-service.
    package var grant: String
    package var isNewUser: Bool
    /// Whether the account was scheduled for deletion and this sign-in restored it.
    package var restored: Bool
    package var user: UserDetails
    /// Whether the user had not signed in from this device or this network before; `nil` means not.
    package var isNewDevice: Bool?

    package init(
        grant: String, isNewUser: Bool, restored: Bool, user: UserDetails, isNewDevice: Bool? = nil
    ) {
        self.grant = grant
        self.isNewUser = isNewUser
        self.restored = restored
        self.user = user
        self.isNewDevice = isNewDevice
    }
}
