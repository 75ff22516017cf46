/// Who may become a user.
package struct AccountPolicy: Sendable, Equatable {
    package enum Registration: String, Sendable, CaseIterable { case open, closed }

    /// Whom the first proof of an identity makes a user.
    package enum NewUsers: String, Sendable, CaseIterable {
        case open
        /// Those alone whom the operator has invited.
        case invited
    }

    /// Whether strangers can register with an address and a password.
    package var registration = Registration.closed
    package var newUsers = NewUsersPolicy()

    package init() {}
}

/// Whom a first proof makes a user, by what is proved.
package struct NewUsersPolicy: Sendable, Equatable {
    package var phone = AccountPolicy.NewUsers.open
    package var email = AccountPolicy.NewUsers.open
    package var apple = AccountPolicy.NewUsers.open
    package var oidc = AccountPolicy.NewUsers.open

    package init() {}
}

extension AccountPolicy {
    /// Section `accounts`:
    /// - `registration` open or closed, default closed; closed where `newUsers.email` is invited
    /// - `newUsers` section: `phone`, `email`, `apple`, `oidc`, each open or invited, default open
    init(reading section: PolicySection) {
        section.choice("registration", into: &registration)
        section.section("newUsers") { section in
            section.choice("phone", into: &newUsers.phone)
            section.choice("email", into: &newUsers.email)
            section.choice("apple", into: &newUsers.apple)
            section.choice("oidc", into: &newUsers.oidc)
        }
        // A registration is a proof of the address too, and asks for no invitation.
        guard registration == .open, newUsers.email == .invited else { return }
        section.refuse(
            "registration",
            "open does not go with newUsers.email: invited, which lets in only invited addresses. Use closed.")
    }
}
