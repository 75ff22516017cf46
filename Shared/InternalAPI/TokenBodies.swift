package import AuthAPI

/// Spends a grant for a session.
package struct IssueRequest: Codable, Sendable, Equatable {
    package var grant: String
    /// The dialect the client speaks; its profile rules the session from now on.
    package var dialect: String
    /// The client's `Idempotency-Key`; with it a lost answer can be asked for again for 60 s.
    package var idempotencyKey: String?
    package var deviceName: String?
    package var userAgent: String?
    package var address: String?

    package init(
        grant: String, dialect: String, idempotencyKey: String? = nil, deviceName: String? = nil,
        userAgent: String? = nil, address: String? = nil
    ) {
        self.grant = grant
        self.dialect = dialect
        self.idempotencyKey = idempotencyKey
        self.deviceName = deviceName
        self.userAgent = userAgent
        self.address = address
    }
}

/// A session's tokens as they go to the client; times are Unix seconds.
package struct TokenSet: Codable, Sendable, Equatable {
    package var accessToken: String
    package var refreshToken: String
    package var accessExpiresAt: Int64
    package var refreshExpiresAt: Int64
    /// Seconds that the access token lives from now.
    package var expiresIn: Int64
    package var sessionID: String
    package var userID: String

    package init(
        accessToken: String, refreshToken: String, accessExpiresAt: Int64, refreshExpiresAt: Int64, expiresIn: Int64,
        sessionID: String, userID: String
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.accessExpiresAt = accessExpiresAt
        self.refreshExpiresAt = refreshExpiresAt
        self.expiresIn = expiresIn
        self.sessionID = sessionID
        self.userID = userID
    }
}

/// Rotates a refresh token.
package struct RefreshRequest: Codable, Sendable, Equatable {
    package var refreshToken: String
    /// The client's `Idempotency-Key`.
    package var idempotencyKey: String?
    /// Makes a repeat of this very call, between our processes, harmless even without a client's key.
    package var callID: String?

    package init(refreshToken: String, idempotencyKey: String? = nil, callID: String? = nil) {
        self.refreshToken = refreshToken
        self.idempotencyKey = idempotencyKey
        self.callID = callID
    }
}

/// What came of a `RefreshRequest`.
package enum RefreshResult: String, Codable, Sendable {
    case rotated, repeated
    /// A spent token; by policy its session is revoked now.
    case reused
    case revoked, expired, unknown, malformed
    /// The user is deactivated: 403, not 401.
    case inactive
    case rateLimited = "rate_limited"
}

/// The reason for which a refresh token with a valid tag is refused. A client decides by it what to tell the user.
package enum RefusedRefreshReason: String, Codable, Sendable, CaseIterable {
    /// The session was not used for too long, or has reached its absolute end.
    case expired
    /// The user, an administrator or a confidential client ended the session.
    case signedOut = "signed_out"
    /// The token was used before.
    case reused
    /// The account was deleted.
    case deleted
    /// The request is a late copy: the client has newer tokens already, and the session stays active.
    case superseded
}

package struct RefreshAnswer: Codable, Sendable, Equatable {
    package var result: RefreshResult
    /// With `rotated` and `repeated`.
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

/// Ends the session of a refresh token, of an access token, or of both, or other sessions of its user.
package struct LogoutRequest: Codable, Sendable, Equatable {
    package var refreshToken: String?
    package var accessToken: String?
    /// nil: the session alone.
    package var scope: LogoutScope?

    package init(refreshToken: String?, accessToken: String?, scope: LogoutScope? = nil) {
        self.refreshToken = refreshToken
        self.accessToken = accessToken
        self.scope = scope
    }
}

/// Gives the user's sessions another role: tokens of a lower version are refused, and a refresh brings the new one.
package struct ChangeRightsRequest: Codable, Sendable, Equatable {
    package var userID: String
    package var role: String
    /// The tokens' `ver` from now on; a request with a lower one than the sessions have changes nothing.
    package var version: Int64

    package init(userID: String, role: String, version: Int64) {
        self.userID = userID
        self.role = role
        self.version = version
    }
}

/// Ends all sessions of a user and refuses grants of a lower epoch from now on.
package struct RevokeUserRequest: Codable, Sendable, Equatable {
    package var userID: String
    package var epoch: Int64
    package var reason: RevocationReason
    /// The `sid` of a session that lives on: its epoch is raised with the user's, so that a late repeat spares it too.
    package var sparedSession: String?

    package init(userID: String, epoch: Int64, reason: RevocationReason, sparedSession: String? = nil) {
        self.userID = userID
        self.epoch = epoch
        self.reason = reason
        self.sparedSession = sparedSession
    }
}

/// Why a session ended; kept with the revocation and named in its metric.
package enum RevocationReason: String, Codable, Sendable, CaseIterable {
    case logout, reuse, deleted, inactive, admin
    case logoutAll = "logout_all"
    case passwordChange = "password_change"
    /// Somebody else proved the one address of the account.
    case takenOver = "taken_over"
    /// Ended by its owner from the list of sessions.
    case device
    /// Revoked by a confidential client (RFC 7009).
    case client
    /// Not the session but its older tokens: the user's rights have changed.
    case rights
    /// Gave way to a sign-in beyond the number of sessions that a user may have.
    case displaced
}

/// The answer of an operation that says only that it is done and durable.
package struct Done: Codable, Sendable, Equatable {
    package init() {}
}
