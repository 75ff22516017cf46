/// The response to `GET /.well-known/latchkey`: everything that a client library or an app has to know about this
/// deployment.
///
/// Members are only ever added; a client ignores those that it does not know.
public struct Discovery: Codable, Sendable, Equatable {
    /// The version of this document; 1.
    public var api: Int
    /// The release of Latchkey, e.g. `1.0.0-beta.1`.
    public var version: String
    /// The `iss` claim of access tokens.
    public var issuer: String
    /// Codes sent to phones, or `nil` if there are none.
    public var codes: Codes?
    /// Sign-in by codes and links sent by mail, or `nil` if there is none.
    public var mail: Mail?
    /// Whether users can have a password.
    public var passwords: Bool
    /// Identity providers whose tokens sign in, e.g. `apple`.
    public var providers: [String]
    /// The services whose phone tokens sign in, e.g. `fpnv`, or `nil` if there are none.
    public var phoneTokens: [String]?
    /// Passkeys, or `nil` if there are none.
    public var passkeys: Passkeys?
    /// Second factors, or `nil` if there are none.
    public var mfa: SecondFactors?
    public var access: Access
    /// Where web pages have their tokens: `refreshCookie` (the refresh token in a cookie), `cookies` (both), or `none` if pages have
    /// to keep them themselves.
    public var web: String
    /// The path that rotates the refresh token, e.g. `/auth/refresh`.
    public var refreshPath: String?

    public init(
        version: String, issuer: String, codes: Codes?, mail: Mail?, passwords: Bool, providers: [String] = [],
        phoneTokens: [String]? = nil, passkeys: Passkeys? = nil, mfa: SecondFactors? = nil, access: Access,
        web: String = "none",
        refreshPath: String? = nil
    ) {
        api = 1
        self.version = version
        self.issuer = issuer
        self.codes = codes
        self.mail = mail
        self.passwords = passwords
        self.providers = providers
        self.phoneTokens = phoneTokens
        self.passkeys = passkeys
        self.mfa = mfa
        self.access = access
        self.web = web
        self.refreshPath = refreshPath
    }

    public struct Codes: Codable, Sendable, Equatable {
        /// The number of digits.
        public var length: Int
        public var lifetimeSeconds: Int64
        /// The values of `channel` that a client may send: `sms`, `call`, `whatsapp`.
        public var channels: [String]

        public init(length: Int, lifetimeSeconds: Int64, channels: [String]) {
            self.length = length
            self.lifetimeSeconds = lifetimeSeconds
            self.channels = channels
        }
    }

    public struct Mail: Codable, Sendable, Equatable {
        /// The number of digits of the code in a mail.
        public var codeLength: Int
        /// How long code and link work, in seconds.
        public var lifetimeSeconds: Int64

        public init(codeLength: Int, lifetimeSeconds: Int64) {
            self.codeLength = codeLength
            self.lifetimeSeconds = lifetimeSeconds
        }
    }

    public struct Passkeys: Codable, Sendable, Equatable {
        /// The domain that passkeys belong to.
        public var rpID: String
        /// Whether `POST /auth/passkeys/signup/options` exists.
        public var signUp: Bool
        /// Whether Android apps may add restore keys.
        public var restoreKeys: Bool

        public init(rpID: String, signUp: Bool, restoreKeys: Bool) {
            (self.rpID, self.signUp, self.restoreKeys) = (rpID, signUp, restoreKeys)
        }
    }

    public struct SecondFactors: Codable, Sendable, Equatable {
        /// Whether users can turn on one-time passwords of an authenticator app.
        public var totp: Bool

        public init(totp: Bool) { self.totp = totp }
    }

    public struct Access: Codable, Sendable, Equatable {
        /// The lifetime of access tokens, in seconds.
        public var lifetimeSeconds: Int64

        public init(lifetimeSeconds: Int64) { self.lifetimeSeconds = lifetimeSeconds }
    }
}
