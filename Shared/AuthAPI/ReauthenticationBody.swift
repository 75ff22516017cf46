/// The body of `POST /auth/reauthenticate`: a code, a password, a phone token, or a provider with an identity token
/// or with the code of a flow in a browser.
public struct ReauthenticationBody: Codable, Sendable, Equatable {
    /// The code of `POST /auth/reauthenticate/request`; with `verifier`, the code that the browser brought to the app.
    public var code: String?
    /// The channel of that request, if it had one.
    public var channel: String?
    public var password: String?
    /// `apple`, or the name of an OpenID Connect provider.
    public var provider: String?
    /// The provider's token, as its SDK gave it to the app. It must be new.
    public var identityToken: String?
    /// The nonce whose hash the app gave to the provider's SDK.
    public var nonce: String?
    /// The secret whose hash began a flow of `POST /auth/reauthenticate/{provider}/authorize`.
    public var verifier: String?
    /// The phone token, as the SDK gave it to the app. It must be new.
    public var phoneToken: String?
    /// A code of the user's authenticator app.
    public var totp: String?
    public var recoveryCode: String?

    public init(
        code: String? = nil, channel: String? = nil, password: String? = nil, provider: String? = nil,
        identityToken: String? = nil, nonce: String? = nil, verifier: String? = nil, phoneToken: String? = nil,
        totp: String? = nil,
        recoveryCode: String? = nil
    ) {
        (self.totp, self.recoveryCode) = (totp, recoveryCode)
        self.verifier = verifier
        self.phoneToken = phoneToken
        self.code = code
        self.channel = channel
        self.password = password
        self.provider = provider
        self.identityToken = identityToken
        self.nonce = nonce
    }
}

/// The response to `POST /auth/reauthenticate`.
public struct ReauthenticationReply: Codable, Sendable, Equatable {
    public var success: Bool
    /// Whether the access token at hand is older than this: refresh once, then repeat the call that asked for it.
    public var refresh: Bool

    public init() { (success, refresh) = (true, true) }
}

/// The body of `POST /auth/reauthenticate/request`, which may be missing. The code goes to the user's own phone number or email
/// address.
public struct ReauthenticationCodeBody: Codable, Sendable, Equatable {
    /// `email`, or a channel to phones; by default `sms`, or `email` for a user without a phone number.
    public var channel: String?
    public var locale: String?
    /// See `OTPRequestBody`.
    public var appHash: String?

    public init(channel: String? = nil, locale: String? = nil, appHash: String? = nil) {
        self.channel = channel
        self.locale = locale
        self.appHash = appHash
    }
}
