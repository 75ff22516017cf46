/// The response to `POST /oauth/introspect` (RFC 7662 section 2.2).
///
/// For a token that is not active it contains nothing else, so that all such responses are the same bytes.
public struct IntrospectionReply: Codable, Sendable, Equatable {
    public var active: Bool
    /// The public user id.
    public var sub: String?
    public var sid: String?
    /// Unix seconds.
    public var exp: Int64?
    /// Unix seconds.
    public var iat: Int64?
    public var iss: String?
    public var aud: String?
    public var jti: String?
    public var role: String?
    /// When the user last showed who they are, in Unix seconds; missing unless the access token has the claim.
    public var authTime: Int64?
    /// `aal2` after a second factor or a passkey with user verification, otherwise `aal1`; missing like `authTime`.
    public var acr: String?
    /// The factors that the user has shown, such as `sms`; missing like `authTime`.
    public var amr: [String]?
    /// `Bearer` for an access token, `refresh_token` for a refresh token.
    public var tokenType: String?

    public init(active: Bool) { self.active = active }

    private enum CodingKeys: String, CodingKey {
        case active, sub, sid, exp, iat, iss, aud, jti, role, acr, amr
        case authTime = "auth_time"
        case tokenType = "token_type"
    }
}

/// The response to `POST /oauth/token` (RFC 6749 section 5.1).
public struct ClientTokenReply: Codable, Sendable, Equatable {
    public var accessToken: String
    /// `Bearer`.
    public var tokenType: String
    /// Seconds.
    public var expiresIn: Int64

    public init(accessToken: String, expiresIn: Int64) {
        self.accessToken = accessToken
        tokenType = "Bearer"
        self.expiresIn = expiresIn
    }

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
    }
}

/// The error body of the `/oauth` endpoints (RFC 6749 section 5.2).
public struct OAuthErrorReply: Codable, Sendable, Equatable {
    public var error: String
    public var errorDescription: String?

    public init(error: String, errorDescription: String? = nil) {
        self.error = error
        self.errorDescription = errorDescription
    }

    private enum CodingKeys: String, CodingKey {
        case error
        case errorDescription = "error_description"
    }
}
