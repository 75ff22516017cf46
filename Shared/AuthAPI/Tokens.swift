/// A session's tokens; the whole answer of `POST /auth/refresh` (howru section 3).
public struct TokenReply: Codable, Sendable, Equatable {
    public var accessToken: String
    public var refreshToken: String
    /// Seconds that the access token lives from now.
    public var expiresIn: Int64

    public init(accessToken: String, refreshToken: String, expiresIn: Int64) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
    }
}

/// Body of `POST /auth/refresh`.
public struct RefreshBody: Codable, Sendable, Equatable {
    public var refreshToken: String

    public init(refreshToken: String) { self.refreshToken = refreshToken }
}

/// Body of `POST /auth/logout`; the access token in the Authorization header is enough as well.
public struct LogoutBody: Codable, Sendable, Equatable {
    public var refreshToken: String?
    /// nil: the session of the token alone.
    public var scope: LogoutScope?

    public init(refreshToken: String?, scope: LogoutScope? = nil) {
        self.refreshToken = refreshToken
        self.scope = scope
    }
}

/// Which sessions of its holder a logout ends.
public enum LogoutScope: String, Codable, Sendable, CaseIterable {
    /// That of the token.
    case session
    /// All but that of the token.
    case others
    case all
}

/// Answer of a request that has only to say that it is done.
public struct SuccessReply: Codable, Sendable, Equatable {
    public var success: Bool
    public var message: String?

    public init(message: String? = nil) {
        success = true
        self.message = message
    }
}
