package import AccessTokens

/// user-service's statement to token-service that a person may have one session (design section 4, step 2).
package struct Grant: SealedStatement, Equatable {
    package static let kind = "grant"

    /// The grant's id, derived from the attestation's id; a grant opens one session.
    package let id: String
    /// The public user id, the token's `sub`.
    package let userID: String
    /// The user's epoch; token-service refuses a grant whose epoch is below the highest that it has seen.
    package let epoch: Int64
    /// The user's properties that the access token may contain; a profile selects them by name.
    package let claims: UserClaims
    /// How the person signed in, e.g. `sms`.
    package let method: String
    package let isNewUser: Bool
    package let expiresAt: Int64
    /// When the session and its access tokens end at the latest, in Unix seconds; `nil` if only the policy decides.
    package let accessEndsAt: Int64?
    /// The factors that the person has shown; `nil` if `method` states all of it.
    package let factors: AuthenticationFactors?

    package init(
        id: String, userID: String, epoch: Int64, claims: UserClaims, method: String, isNewUser: Bool, expiresAt: Int64,
        accessEndsAt: Int64? = nil, factors: AuthenticationFactors? = nil
    ) {
        self.factors = factors
        self.id = id
        self.userID = userID
        self.epoch = epoch
        self.claims = claims
        self.method = method
        self.isNewUser = isNewUser
        self.expiresAt = expiresAt
        self.accessEndsAt = accessEndsAt
    }
}

/// The user's properties that access tokens can carry.
package struct UserClaims: Codable, Sendable, Equatable {
    package var phone: String?
    package var email: String?
    package var role: String
    /// The version of role and claims, raised by each change; the token's `ver` (design section 4, *Epoch*).
    package var version: Int64
    /// The user's id in the system that they were imported from.
    package var legacyID: String?
    /// The values that profiles map to claims, by their sources in the policy, such as `app.plan`; `nil` if there are none.
    package var mapped: [String: ClaimValue]?
    /// The metadata that tokens of the dialect `supabase` have; `nil` if there is none, or the policy lacks the dialect.
    package var metadata: UserMetadata?
    /// The refresh token of the session at the old server that this one continues; `nil` if there is none.
    package var previous: String?

    package init(
        phone: String?, email: String? = nil, role: String, version: Int64, legacyID: String? = nil,
        mapped: [String: ClaimValue]? = nil, metadata: UserMetadata? = nil
    ) {
        self.metadata = metadata
        self.phone = phone
        self.email = email
        self.role = role
        self.version = version
        self.legacyID = legacyID
        self.mapped = mapped
    }
}
