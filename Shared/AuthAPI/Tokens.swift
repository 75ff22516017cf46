/// A session's tokens; the whole response to `POST /auth/refresh` (howru section 3).
public struct TokenReply: Codable, Sendable, Equatable {
    /// Empty if a cookie has it, like the refresh token.
    @CookieToken public var accessToken: String
    @CookieToken public var refreshToken: String
    /// The lifetime of the access token from now, in seconds.
    public var expiresIn: Int64

    public init(accessToken: String, refreshToken: String, expiresIn: Int64) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
    }
}

/// The body of `POST /auth/refresh`.
public struct RefreshBody: Codable, Sendable, Equatable {
    public var refreshToken: String

    public init(refreshToken: String) { self.refreshToken = refreshToken }
}

/// The body of `POST /auth/logout`; the access token in the Authorization header suffices as well.
public struct LogoutBody: Codable, Sendable, Equatable {
    public var refreshToken: String?
    /// `nil` means only the session of the token.
    public var scope: LogoutScope?

    public init(refreshToken: String?, scope: LogoutScope? = nil) {
        self.refreshToken = refreshToken
        self.scope = scope
    }
}

/// The sessions that a logout revokes.
public enum LogoutScope: String, Codable, Sendable, CaseIterable {
    /// The session of the token.
    case session
    /// All sessions of the user except that of the token.
    case others
    case all
}

/// The response to a request that only confirms success.
public struct SuccessReply: Codable, Sendable, Equatable {
    public var success: Bool
    public var message: String?

    public init(message: String? = nil) {
        success = true
        self.message = message
    }
}
