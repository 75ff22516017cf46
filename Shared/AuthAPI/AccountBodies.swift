/// The body of `POST /auth/register`.
public struct RegisterBody: Codable, Sendable, Equatable {
    public var email: String
    public var password: String
    public var name: String?
    /// The language of the mail, as a tag of RFC 5646.
    public var locale: String?

    public init(email: String, password: String, name: String? = nil, locale: String? = nil) {
        self.email = email
        self.password = password
        self.name = name
        self.locale = locale
    }
}

/// The body of `POST /auth/verify-email` and `POST /auth/reset-password`.
public struct AccountLinkBody: Codable, Sendable, Equatable {
    /// The token of the link; `nil` with `code`.
    public var token: String?
    /// The email address that the mail was sent to; only with `code`.
    public var email: String?
    /// The code of the mail, in place of the link's token.
    public var code: String?
    /// The password of the registration, or the new one.
    public var password: String

    public init(token: String? = nil, email: String? = nil, code: String? = nil, password: String) {
        (self.email, self.code) = (email, code)
        self.token = token
        self.password = password
    }
}

/// The body of `POST /auth/verify-email/resend` and `POST /auth/forgot-password`.
public struct AccountMailBody: Codable, Sendable, Equatable {
    public var email: String
    /// The language of the mail; see `RegisterBody`.
    public var locale: String?

    public init(email: String, locale: String? = nil) {
        self.email = email
        self.locale = locale
    }
}

/// The body of `POST /auth/login`.
public struct LoginBody: Codable, Sendable, Equatable {
    public var email: String
    public var password: String
    /// The name of this device in the list of sessions.
    public var deviceName: String?

    public init(email: String, password: String, deviceName: String? = nil) {
        self.email = email
        self.password = password
        self.deviceName = deviceName
    }
}

/// The body of `POST /auth/change-password`.
public struct ChangePasswordBody: Codable, Sendable, Equatable {
    public var oldPassword: String
    public var newPassword: String

    public init(oldPassword: String, newPassword: String) {
        self.oldPassword = oldPassword
        self.newPassword = newPassword
    }
}

/// The body of `DELETE /auth/account`.
public struct PasswordBody: Codable, Sendable, Equatable {
    public var password: String

    public init(password: String) { self.password = password }
}

/// The body of `DELETE /users/me`, which may be missing.
public struct DeletionBody: Codable, Sendable, Equatable {
    /// Needed from a user who has a password, unless they showed who they are a moment ago.
    public var password: String?

    public init(password: String? = nil) { self.password = password }
}

/// The response to `POST /auth/login`: that of a sign-in, with each token under two names.
public struct LoginReply: Codable, Sendable, Equatable {
    public var success: Bool
    public var isNewUser: Bool
    public var user: UserProfile
    public var tokens: LoginTokens
    /// Whether this sign-in cancelled a scheduled deletion; see `SignInReply`.
    public var restored: Bool?
    public var newDevice: Bool?

    public init(_ signIn: SignInReply) {
        success = signIn.success
        isNewUser = signIn.isNewUser
        user = signIn.user
        tokens = LoginTokens(signIn.tokens)
        restored = signIn.restored
        newDevice = signIn.newDevice
    }
}

/// A session's tokens: `access` and `refresh` are the same as `accessToken` and `refreshToken`.
public struct LoginTokens: Codable, Sendable, Equatable {
    @CookieToken public var accessToken: String
    @CookieToken public var refreshToken: String
    /// The lifetime of the access token from now, in seconds.
    public var expiresIn: Int64
    @CookieToken public var access: String
    @CookieToken public var refresh: String

    public init(_ tokens: TokenReply) {
        accessToken = tokens.accessToken
        refreshToken = tokens.refreshToken
        expiresIn = tokens.expiresIn
        access = tokens.accessToken
        refresh = tokens.refreshToken
    }
}
