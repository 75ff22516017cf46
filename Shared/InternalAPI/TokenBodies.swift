package import AuthAPI

/// Exchanges a grant for a session.
package struct IssueRequest: Codable, Sendable, Equatable {
    package var grant: String
    /// The client's dialect; its profile applies to the session from now on.
    package var dialect: String
    /// The client's `Idempotency-Key`; with it, a lost response can be requested again for 60 s.
    package var idempotencyKey: String?
    package var deviceName: String?
    package var userAgent: String?
    package var address: String?
    /// Whether the session is a web page's, whose tokens go into cookies; `nil` means not.
    package var isPage: Bool?
    /// The secret of the session that the page had before, in base64url. That session is revoked, even if it is another user's.
    package var replacedPage: String?

    package init(
        grant: String, dialect: String, idempotencyKey: String? = nil, deviceName: String? = nil,
        userAgent: String? = nil, address: String? = nil, isPage: Bool? = nil, replacedPage: String? = nil
    ) {
        self.grant = grant
        self.dialect = dialect
        self.idempotencyKey = idempotencyKey
        self.deviceName = deviceName
        self.userAgent = userAgent
        self.address = address
        self.isPage = isPage
        self.replacedPage = replacedPage
    }
}

/// A session's tokens as sent to the client; times are Unix seconds.
package struct TokenSet: Codable, Sendable, Equatable {
    package var accessToken: String
    package var refreshToken: String
    package var accessExpiresAt: Int64
    package var refreshExpiresAt: Int64
    /// The lifetime of the access token from now, in seconds.
    package var expiresIn: Int64
    package var sessionID: String
    package var userID: String
    /// The secret of the page's session, in base64url; only after a page's sign-in.
    package var pageSecret: String?
    /// Whether another kind of device has refreshed the session than the one that signed in; `nil` means not.
    package var isOtherDevice: Bool?
    /// The refresh token of the session at the old server, which the first refresh ends; `nil` if there is none.
    package var previous: String?

    package init(
        accessToken: String, refreshToken: String, accessExpiresAt: Int64, refreshExpiresAt: Int64, expiresIn: Int64,
        sessionID: String, userID: String, pageSecret: String? = nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.accessExpiresAt = accessExpiresAt
        self.refreshExpiresAt = refreshExpiresAt
        self.expiresIn = expiresIn
        self.sessionID = sessionID
        self.userID = userID
        self.pageSecret = pageSecret
    }
}

/// Rotates a refresh token.
package struct RefreshRequest: Codable, Sendable, Equatable {
    package var refreshToken: String
    /// The client's `Idempotency-Key`.
    package var idempotencyKey: String?
    /// Identifies this call between our processes, so that a repeat is harmless even without a client's key.
    package var callID: String?
    /// The secret from the page's cookie, if the token is from one. The token of another session is refused with it.
    package var pageSecret: String?
    /// The client's User-Agent.
    package var userAgent: String?

    package init(
        refreshToken: String, idempotencyKey: String? = nil, callID: String? = nil, pageSecret: String? = nil,
        userAgent: String? = nil
    ) {
        self.refreshToken = refreshToken
        self.idempotencyKey = idempotencyKey
        self.callID = callID
        self.pageSecret = pageSecret
        self.userAgent = userAgent
    }
}

/// The outcome of a `RefreshRequest`.
package enum RefreshResult: String, Codable, Sendable, CaseIterable {
    case rotated, repeated
    /// The token was used before; by policy its session is revoked now, unless the reason is `superseded`.
    case reused
    case revoked, expired, unknown, malformed
    /// The user is deactivated: answered with 403, not 401.
    case inactive
    case rateLimited = "rate_limited"
}

/// The reason for which a refresh token with a valid tag is refused. A client decides by it what to tell the user.
package enum RefusedRefreshReason: String, Codable, Sendable, CaseIterable {
    /// The session was unused for too long, or has reached its absolute end.
    case expired
    /// The user, an administrator or a confidential client revoked the session.
    case signedOut = "signed_out"
    /// The token was used before.
    case reused
    /// The account was deleted.
    case deleted
    /// The client has newer tokens already: the request is a late copy and the session stays active, or the page has signed in
    /// again meanwhile.
    case superseded
}

package struct RefreshAnswer: Codable, Sendable, Equatable {
    package var result: RefreshResult
    /// The tokens; only with `rotated` and `repeated`.
    package var tokens: TokenSet?
    package var retryAfterSeconds: Int64?
    /// The reason of a refusal, or `nil` if the token was never issued, is malformed, or its user is deactivated.
    package var reason: RefusedRefreshReason?

    package init(
        _ result: RefreshResult, tokens: TokenSet? = nil, retryAfterSeconds: Int64? = nil,
        reason: RefusedRefreshReason? = nil
    ) {
        self.result = result
        self.tokens = tokens
        self.retryAfterSeconds = retryAfterSeconds
        self.reason = reason
    }
}

/// Revokes the session of a refresh token, of an access token, or of both, or other sessions of its user.
package struct LogoutRequest: Codable, Sendable, Equatable {
    package var refreshToken: String?
    package var accessToken: String?
    /// `nil` means only this session.
    package var scope: LogoutScope?

    package init(refreshToken: String?, accessToken: String?, scope: LogoutScope? = nil) {
        self.refreshToken = refreshToken
        self.accessToken = accessToken
        self.scope = scope
    }
}

/// Changes the role in the user's sessions: tokens of a lower version are refused, and a refresh returns the new role.
package struct ChangeRightsRequest: Codable, Sendable, Equatable {
    package var userID: String
    /// All claims of the user. Sessions with claims of the same or a higher version keep theirs.
    package var claims: UserClaims
    /// `true` if earlier access tokens stay valid, because nothing in them is wrong now; otherwise `nil`.
    package var keepsTokens: Bool?
    /// `true` if a second factor of the user is gone, so that all sessions fall to the factors with which they began; otherwise
    /// `nil`. It excludes `keepsTokens`.
    package var lowersFactors: Bool?

    package init(userID: String, claims: UserClaims, keepsTokens: Bool = false, lowersFactors: Bool = false) {
        self.lowersFactors = lowersFactors ? true : nil
        self.userID = userID
        self.claims = claims
        self.keepsTokens = keepsTokens ? true : nil
    }
}

/// Revokes all sessions of a user, or those of one method, and refuses grants of a lower epoch from now on.
package struct RevokeUserRequest: Codable, Sendable, Equatable {
    package var userID: String
    package var epoch: Int64
    package var reason: RevocationReason
    /// The `sid` of a session that stays active: its epoch is raised with the user's, so that a late repeat spares it too.
    package var sparedSession: String?
    /// The method of the sessions that are revoked; `nil` means all. Sessions of other methods stay active, and their epoch is raised
    /// with the user's.
    package var method: String?

    package init(
        userID: String, epoch: Int64, reason: RevocationReason, sparedSession: String? = nil, method: String? = nil
    ) {
        self.userID = userID
        self.epoch = epoch
        self.reason = reason
        self.sparedSession = sparedSession
        self.method = method
    }
}

/// Why a session was revoked; stored with the revocation and used as a label of its metric.
package enum RevocationReason: String, Codable, Sendable, CaseIterable {
    case logout, reuse, deleted, inactive, admin
    case logoutAll = "logout_all"
    case passwordChange = "password_change"
    /// The user has replaced or removed an identity.
    case identityChange = "identity_change"
    /// The user has reported a change of the account that was not theirs.
    case reported
    /// Someone else verified the only address of the account.
    case takenOver = "taken_over"
    /// The owner revoked it from the list of sessions.
    case device
    /// Revoked by a confidential client (RFC 7009).
    case client
    /// The session stays active, but its older tokens are refused, since the user's rights have changed.
    case rights
    /// The session made room for a new sign-in, since a user has a maximum number of sessions.
    case displaced
    /// The page that had the session has signed in again, or the person who acts as the user does so again.
    case replaced
    /// The provider with which the session began has reported that the user no longer signs in with it.
    case provider
}

/// The response of an operation that confirms only that the change is durable.
package struct Done: Codable, Sendable, Equatable {
    package init() {}
}
