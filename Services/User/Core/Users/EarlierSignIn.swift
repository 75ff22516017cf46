/// What an attestation led to; kept until it has expired, so that a repeat gets the same answer.
package struct Resolution: Sendable, Equatable {
    package let userID: UserID
    package let isNewUser: Bool
    package let restored: Bool

    package init(userID: UserID, isNewUser: Bool, restored: Bool) {
        self.userID = userID
        self.isNewUser = isNewUser
        self.restored = restored
    }
}

/// What a proof led to before.
package struct EarlierSignIn: Sendable, Equatable {
    package let resolution: Resolution
    /// The user as they are now; `nil` once they are removed.
    package let user: User?

    package init(resolution: Resolution, user: User?) {
        self.resolution = resolution
        self.user = user
    }
}

/// A user with an address that they have not verified.
package struct Claimant: Sendable, Equatable {
    package let user: User
    /// Whether the user has verified anything else.
    package let hasProof: Bool

    package init(user: User, hasProof: Bool) {
        self.user = user
        self.hasProof = hasProof
    }

    /// Whether the account has nothing but the address, so that it passes to the person who proves it.
    var isAlone: Bool { !hasProof && user.isActive && user.deletion == nil }

    /// Whether the account has nothing but the address, and the operator deactivated it.
    var isDeactivated: Bool { !hasProof && !user.isActive }
}
