/// The rules for new users, and for users who were away for long.
package struct AccountPolicy: Sendable, Equatable {
    package enum Registration: String, Sendable, CaseIterable { case open, closed }

    /// The people who become users when they first verify an identity.
    package enum NewUsers: String, Sendable, CaseIterable {
        case open
        /// Only people with an invitation from the operator.
        case invited
    }

    package var registration = Registration.closed
    package var newUsers = NewUsersPolicy()
    /// `nil` if accounts stay however long their users are away.
    package var inactive: InactivePolicy?

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
    static let keys: [Key<Self>] = [
        Key(
            "registration", \.registration, .choice,
            "Registration with an email address and a password."),
        Key(
            "newUsers", section: \.newUsers, NewUsersPolicy.keys,
            "The people who become users at their first sign-in: all, or only people invited by the operator "
                + "(`latchkeyctl users invite`; of `apple` and `oidc`, only imported identities)."),
        Key(
            "inactive", \.inactive, .orNone(.section(InactivePolicy(), InactivePolicy.keys)),
            "The removal of accounts whose users were away for long, after a notice (docs/run/support.md)."),
    ]

    /// A registration verifies the email address too, and does not require an invitation.
    func check(_ section: PolicySection) {
        guard registration == .open, newUsers.email == .invited else { return }
        section.refuse(
            "registration",
            "open does not go with newUsers.email: invited, which lets in only invited addresses. Use closed.")
    }
}

extension NewUsersPolicy {
    static let keys: [Key<Self>] = [
        Key("phone", \.phone, .choice, "By phone number."),
        Key("email", \.email, .choice, "By email address; `invited` requires `registration: closed`."),
        Key("apple", \.apple, .choice, "By Sign in with Apple."),
        Key("oidc", \.oidc, .choice, "By OpenID Connect providers."),
    ]
}
