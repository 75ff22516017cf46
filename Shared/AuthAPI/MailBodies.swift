/// The body of `POST /auth/magic-link/request`.
public struct MailRequestBody: Codable, Sendable, Equatable {
    public var email: String
    /// BASE64URL(SHA-256(verifier)), RFC 7636 §4.2; without it the mail contains a code but no link.
    public var challenge: String?
    public var locale: String?

    public init(email: String, challenge: String? = nil, locale: String? = nil) {
        self.email = email
        self.challenge = challenge
        self.locale = locale
    }
}

/// The response to `POST /auth/magic-link/request`, the same whether the address has an account or not.
public struct MailRequestReply: Codable, Sendable, Equatable {
    public var success: Bool
    public var status: String
    public var message: String
    /// The maximum number of seconds for which code and link are valid.
    public var expiresIn: Int64

    public init(success: Bool, status: String, message: String, expiresIn: Int64) {
        self.success = success
        self.status = status
        self.message = message
        self.expiresIn = expiresIn
    }
}

/// The body of `POST /auth/magic-link/verify`: `token` and `verifier`, or `email` and `code`.
public struct MailVerifyBody: Codable, Sendable, Equatable {
    /// The token of the link.
    public var token: String?
    /// The verifier that the client kept (RFC 7636 §4.1).
    public var verifier: String?
    public var email: String?
    public var code: String?
    /// The name of a new user.
    public var name: String?
    /// The name of this device in the list of sessions.
    public var deviceName: String?

    public init(
        token: String? = nil, verifier: String? = nil, email: String? = nil, code: String? = nil, name: String? = nil,
        deviceName: String? = nil
    ) {
        self.token = token
        self.verifier = verifier
        self.email = email
        self.code = code
        self.name = name
        self.deviceName = deviceName
    }
}
