/// The rules for new users.
package struct AccountPolicy: Sendable, Equatable {
    package enum Registration: String, Sendable, CaseIterable { case open, closed }

    /// The people who become users when they first verify an identity.
    package enum NewUsers: String, Sendable, CaseIterable {
        case open
        /// Only people with an invitation from the operator.
        case invited
    }

    /// Whether people without an account can register with an email address and a password.
    package var registration = Registration.closed
    package var newUsers = NewUsersPolicy()

    package init() {}
}

/// The people who become users when they first verify an identity, by the kind of identity.
package struct NewUsersPolicy: Sendable, Equatable {
    package var phone = AccountPolicy.NewUsers.open
    package var email = AccountPolicy.NewUsers.open
    package var apple = AccountPolicy.NewUsers.open
    package var oidc = AccountPolicy.NewUsers.open

    package init() {}
}

extension AccountPolicy {
    /// Section `accounts`:
    /// - `registration` open or closed, default closed; must be closed if `newUsers.email` is invited
    /// - `newUsers` section: `phone`, `email`, `apple`, `oidc`, each open or invited, default open
    init(reading section: PolicySection) {
        section.choice("registration", into: &registration)
        section.section("newUsers") { section in
            section.choice("phone", into: &newUsers.phone)
            section.choice("email", into: &newUsers.email)
            section.choice("apple", into: &newUsers.apple)
            section.choice("oidc", into: &newUsers.oidc)
        }
        // A registration verifies the email address too, and does not require an invitation.
        guard registration == .open, newUsers.email == .invited else { return }
        section.refuse(
            "registration",
            "open does not go with newUsers.email: invited, which lets in only invited addresses. Use closed.")
    }
}
