/// Begins to replace the phone number of a user who has lost it, or ends that.
package struct ReplacePhoneRequest: Codable, Sendable, Equatable {
    package var userID: String
    /// The new number, which its owner verifies by a sign-in. `nil` ends a change that has begun.
    package var phone: String?

    package init(userID: String, phone: String?) {
        self.userID = userID
        self.phone = phone
    }
}

/// A change of the bearer's phone number that support has begun and that the owner of the new number has verified.
package struct PendingPhone: Codable, Sendable, Equatable {
    /// Unix time in seconds at which the number changes.
    package var movesAt: Int64
    /// The last two digits of the new number.
    package var lastDigits: String

    package init(movesAt: Int64, lastDigits: String) {
        self.movesAt = movesAt
        self.lastDigits = lastDigits
    }
}

/// Asks why a proof opens no session.
package struct HeldSignInRequest: Codable, Sendable, Equatable {
    package var attestation: String

    package init(attestation: String) { self.attestation = attestation }
}

/// Details of a sign-in that was refused with `phone_change_pending`, `second_identity_required`, `second_factor_required` or
/// `deletion_scheduled`.
package struct HeldSignIn: Codable, Sendable, Equatable {
    /// Unix time in seconds at which an account gets the number.
    package var movesAt: Int64?
    /// The other ways to sign in to the account with the number: `email`, `password`, `apple` or names of providers.
    package var methods: [String]?
    /// Cancels the deletion of the account, presented to `resolve` like an attestation; `nil` if a sign-in may not cancel it.
    package var restoreToken: String?
    /// The sealed first factor, for `ProveSecondFactorRequest`.
    package var mfaToken: String?
    /// The second factors that the user has.
    package var factors: [SecondFactorMethod]?

    package init(
        movesAt: Int64? = nil, methods: [String]? = nil, restoreToken: String? = nil, mfaToken: String? = nil,
        factors: [SecondFactorMethod]? = nil
    ) {
        (self.mfaToken, self.factors) = (mfaToken, factors)
        self.restoreToken = restoreToken
        self.movesAt = movesAt
        self.methods = methods
    }
}

/// Asks when a user's sessions were used last.
package struct NewestUseRequest: Codable, Sendable, Equatable {
    package var userID: String

    package init(userID: String) { self.userID = userID }
}

package struct NewestUse: Codable, Sendable, Equatable {
    /// Unix time in seconds of the newest sign-in or refresh; `nil` if none is known, also of sessions that were removed.
    package var at: Int64?
    /// Unix time in seconds of the last restore, before which nothing is known; `nil` if there was none.
    package var knownSince: Int64?

    package init(at: Int64?, knownSince: Int64? = nil) { (self.at, self.knownSince) = (at, knownSince) }
}
