/// The result of resolving an attestation. It is kept until the attestation expires, so that a repeat gets the same response.
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

/// The result of an earlier sign-in with a proof.
package struct EarlierSignIn: Sendable, Equatable {
    package let resolution: Resolution
    /// The user as they are now, or `nil` if they were removed.
    package let user: User?
    /// The call that an identity token served, or `nil` if the proof is no identity token.
    package let served: ServedCall?

    package init(resolution: Resolution, user: User?, served: ServedCall? = nil) {
        self.resolution = resolution
        self.user = user
        self.served = served
    }
}

/// The one call that an identity token has served.
package struct ServedCall: Sendable, Equatable {
    /// How many seconds a repeat of the call has the same outcome, which is as long as token-service returns the same session.
    static let repeatSeconds: Int64 = 60

    /// The call's tag.
    package let tag: [UInt8]
    /// Unix time in seconds.
    package let at: Int64

    package init(tag: [UInt8], at: Int64) {
        self.tag = tag
        self.at = at
    }

    /// Whether a presentation of the token is a repeat of that call.
    func isRepeated(by token: PresentedToken, now: Int64) -> Bool {
        tag == token.call && now - at <= Self.repeatSeconds
    }
}

/// A user with an email address that they have not verified.
package struct Claimant: Sendable, Equatable {
    package let user: User
    /// Whether the user has verified anything else, or has a passkey, by which the account can be used.
    package let hasProof: Bool

    package init(user: User, hasProof: Bool) {
        self.user = user
        self.hasProof = hasProof
    }

    /// Whether the account has no other identity, so that it passes to the person who verifies the email address.
    var isAlone: Bool { !hasProof && user.isActive && user.deletion == nil }

    /// Whether the account has no other identity and is deactivated.
    var isDeactivated: Bool { !hasProof && !user.isActive }
}
