/// user-service's statement to token-service that the user of a session has shown again who they are.
///
/// It raises the session's time of authentication to `at`, so that a repeat changes nothing.
package struct Reauthentication: SealedStatement, Equatable {
    package static let kind = "reauthentication"

    /// The public user id, the token's `sub`.
    package let userID: String
    /// The only session that the statement is valid for, by its `sid`.
    package let sessionID: String
    /// How the user showed it, e.g. `sms`.
    package let method: String
    /// When, in Unix seconds.
    package let at: Int64
    package let expiresAt: Int64
    /// The factors that the user has shown, which are added to those of the session; `nil` adds nothing.
    package let factors: AuthenticationFactors?
    /// Identifies the challenge, which raises the session once; `nil` for a proof whose single use is enforced elsewhere.
    package let id: String?
    /// The version of the user's rights when the proof was judged. A later one may have removed the factor, so the statement is
    /// refused then. `nil` is not compared.
    package let version: Int64?

    package init(
        userID: String, sessionID: String, method: String, at: Int64, expiresAt: Int64,
        factors: AuthenticationFactors? = nil, id: String? = nil, version: Int64? = nil
    ) {
        self.factors = factors
        self.id = id
        self.version = version
        self.userID = userID
        self.sessionID = sessionID
        self.method = method
        self.at = at
        self.expiresAt = expiresAt
    }
}

/// Presents a proof that the bearer of an access token is its user: a code, a password, an identity token, the code of a
/// flow in a browser, a phone token, a passkey, a code of an authenticator app,
/// or a recovery code.
package struct ReauthenticateRequest: Codable, Sendable, Equatable {
    /// A code for this purpose, which was sent to the user's own phone number or email address.
    package var code: String?
    /// The channel for which the code was requested; see `ReauthenticationCodeRequest`.
    package var channel: String?
    /// The dialect in which the code was requested; `nil` means native.
    package var dialect: String?
    package var password: String?
    /// `apple`, or the provider's name in the policy.
    package var provider: String?
    /// The provider's token as the client sent it; so is the nonce.
    package var token: String?
    package var nonce: String?
    /// The verifier of a flow in a browser, whose `code` is then that of the flow, and `provider` its provider.
    package var verifier: String?
    package var phoneToken: String?
    /// An assertion for a challenge of `PasskeyOperations.beginStepUp`.
    package var passkey: PresentedPasskey?
    /// A code of the user's authenticator app.
    package var totp: String?
    package var recoveryCode: String?
    /// The client's IP address (IPv4 or IPv6 as text), used for limits.
    package var address: String
    /// Identifies this call: a token serves one call, and its repeats.
    package var callID: String

    package init(
        code: String? = nil, channel: String? = nil, password: String? = nil, provider: String? = nil,
        token: String? = nil, nonce: String? = nil, verifier: String? = nil, phoneToken: String? = nil,
        passkey: PresentedPasskey? = nil, totp: String? = nil, recoveryCode: String? = nil, dialect: String? = nil,
        address: String, callID: String
    ) {
        self.dialect = dialect
        (self.totp, self.recoveryCode) = (totp, recoveryCode)
        self.passkey = passkey
        self.verifier = verifier
        self.phoneToken = phoneToken
        self.code = code
        self.channel = channel
        self.password = password
        self.provider = provider
        self.token = token
        self.nonce = nonce
        self.address = address
        self.callID = callID
    }
}

/// The outcome of a `ReauthenticateRequest`.
package struct ReauthenticateAnswer: Codable, Sendable, Equatable {
    /// The values are those of the metric `auth_reauthentications_total`.
    package enum Result: String, Codable, Sendable, CaseIterable {
        case authenticated
        /// The proof is wrong, used, too old, or another person's.
        case refused
        /// Too many proofs were refused.
        case rateLimited = "rate_limited"
        case noPassword = "no_password"
        /// The user has no phone number or email address for the channel, or the deployment sends no codes there.
        case noRecipient = "no_recipient"
        /// The policy has no such provider.
        case unknownProvider = "unknown_provider"
    }

    package var result: Result
    /// The sealed `Reauthentication`; only with `authenticated`.
    package var statement: String?
    /// Seconds until another proof is allowed; only with `rateLimited`.
    package var retryAfterSeconds: Int64?

    package init(_ result: Result, statement: String? = nil, retryAfterSeconds: Int64? = nil) {
        self.result = result
        self.statement = statement
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// Requests a code for `ReauthenticateRequest` to the bearer's own phone number or email address.
package struct ReauthenticationCodeRequest: Codable, Sendable, Equatable {
    /// `email`, or a channel to phones; `nil` means `sms`, or `email` for a user without a phone number.
    package var channel: String?
    /// The dialect in which only the code is valid; `nil` means native.
    package var dialect: String?
    /// The languages that the client asks for, best first.
    package var locales: [String]
    /// See `OTPRequest`; so is `address`.
    package var appHash: String?
    package var address: String
    /// Identifies this call: a repeat is neither counted nor sent again.
    package var callID: String

    package init(
        channel: String? = nil, dialect: String? = nil, locales: [String], appHash: String? = nil, address: String,
        callID: String
    ) {
        self.dialect = dialect
        self.channel = channel
        self.locales = locales
        self.appHash = appHash
        self.address = address
        self.callID = callID
    }
}

/// Notes in the bearer's session that its user has shown again who they are.
package struct NoteAuthenticationRequest: Codable, Sendable, Equatable {
    /// The sealed `Reauthentication`.
    package var statement: String

    package init(statement: String) { self.statement = statement }
}

/// The last time at which the user of a session showed who they are.
package struct SessionAuthentication: Codable, Sendable, Equatable {
    /// Unix time in seconds; a sign-in counts.
    package var authenticatedAt: Int64
    /// All that the user has shown in this session.
    package var factors: AuthenticationFactors
    /// The factors that the user showed at `authenticatedAt`.
    package var latestFactors: AuthenticationFactors
    /// When the session began with the code of a forgotten password, in Unix seconds; `nil` if it began otherwise.
    package var recoveredAt: Int64?

    package init(
        authenticatedAt: Int64, factors: AuthenticationFactors, latestFactors: AuthenticationFactors,
        recoveredAt: Int64? = nil
    ) {
        self.recoveredAt = recoveredAt
        self.authenticatedAt = authenticatedAt
        self.factors = factors
        self.latestFactors = latestFactors
    }

    /// A token-service of an earlier release states no factors.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        authenticatedAt = try members.decode(Int64.self, forKey: .authenticatedAt)
        factors = try members.decodeIfPresent(AuthenticationFactors.self, forKey: .factors) ?? []
        latestFactors = try members.decodeIfPresent(AuthenticationFactors.self, forKey: .latestFactors) ?? []
        recoveredAt = try members.decodeIfPresent(Int64.self, forKey: .recoveredAt)
    }
}
