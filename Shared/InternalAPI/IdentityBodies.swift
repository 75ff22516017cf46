/// A user's account at Apple or an OpenID Connect provider.
package struct ProviderAccount: Codable, Sendable, Equatable {
    /// `apple`, or the provider's name in the policy.
    package var provider: String
    /// The `sub` claim of the provider's tokens.
    package var subject: String

    package init(provider: String, subject: String) {
        self.provider = provider
        self.subject = subject
    }
}

/// Presents an identity token of Apple or an OpenID Connect provider.
package struct IdentityTokenRequest: Codable, Sendable, Equatable {
    /// `apple`, or the provider's name in the policy.
    package var provider: String
    /// The token as the client sent it; so is the nonce.
    package var token: String
    package var nonce: String?
    /// Identifies the client's call: a token serves one call, and a repeat of that call gets the same proof.
    package var callID: String
    /// Apple's authorization code that came with the token. It is exchanged after the sign-in.
    package var authorizationCode: String?

    package init(
        provider: String, token: String, nonce: String?, callID: String, authorizationCode: String? = nil
    ) {
        self.provider = provider
        self.token = token
        self.nonce = nonce
        self.callID = callID
        self.authorizationCode = authorizationCode
    }
}

/// The outcome of presenting an identity token.
package struct IdentityTokenAnswer: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable, CaseIterable {
        case proved
        /// The token breaks a rule, which the audit record names; or the code of a sign-in in a browser is not valid.
        case refused
        /// The policy has no such provider.
        case off
    }

    package var result: Result
    /// The sealed proof that `resolve` accepts; only with `proved`.
    package var proof: String?
    /// The person's name, if the provider gave it to a sign-in in a browser.
    package var name: String?

    package init(_ result: Result, proof: String? = nil, name: String? = nil) {
        self.result = result
        self.proof = proof
        self.name = name
    }
}

/// A notification that claims to be Apple's, unchanged; user-service checks its signature.
package struct AppleNotification: Codable, Sendable, Equatable {
    /// The signed JWT.
    package var payload: String

    package init(payload: String) { self.payload = payload }
}

/// The outcome of an `AppleNotification`.
package struct AppleNotificationAnswer: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable, CaseIterable {
        /// The notification is Apple's, whether or not it changed anything.
        case noted
        /// It is not Apple's, or not about an app of this deployment, or too old.
        case forged
        /// The policy has no sign-in with Apple.
        case off
    }

    package var result: Result

    package init(_ result: Result) { self.result = result }
}

/// Presents the token of a service that proves phone numbers.
package struct PhoneTokenRequest: Codable, Sendable, Equatable {
    /// The token as the client sent it; so is the nonce. The token's issuer selects the provider.
    package var token: String
    package var nonce: String?
    /// The client's IP address (IPv4 or IPv6 as text), used for limits.
    package var address: String
    /// See `OTPRequest`.
    package var signedInPhone: String?
    /// See `IdentityTokenRequest`.
    package var callID: String

    package init(token: String, nonce: String?, address: String, signedInPhone: String? = nil, callID: String) {
        self.token = token
        self.nonce = nonce
        self.address = address
        self.signedInPhone = signedInPhone
        self.callID = callID
    }
}

/// The outcome of presenting a phone token.
package struct PhoneTokenAnswer: Codable, Sendable, Equatable {
    /// The values are those of the metric `auth_identity_tokens_total`, apart from `refused`, which it has by rule.
    package enum Result: String, Codable, Sendable, CaseIterable {
        case proved
        /// The token breaks a rule; the audit record names the rule.
        case refused
        /// The token has served another call.
        case used
        /// The policy's `countries` excludes the number.
        case blockedCountry = "blocked_country"
        /// The number is locked, or has had as many attempts as the policy allows.
        case tooManyAttempts = "too_many_attempts"
        /// The policy has no such providers.
        case off
    }

    package var result: Result
    /// The sealed proof that `resolve` accepts; only with `proved`.
    package var proof: String?
    /// The limit that refused; only with `tooManyAttempts`.
    package var limit: LimitKind?
    /// Seconds until a lockout ends; only with `tooManyAttempts`.
    package var retryAfterSeconds: Int64?

    package init(_ result: Result, proof: String? = nil, limit: LimitKind? = nil, retryAfterSeconds: Int64? = nil) {
        self.result = result
        self.proof = proof
        self.limit = limit
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// The bearer's identities, and whether they have a password.
package struct OwnIdentities: Codable, Sendable, Equatable {
    /// Oldest first.
    package var identities: [OwnIdentity]
    package var hasPassword: Bool
    package var pendingPhone: PendingPhone?
    package var pendingMerge: PendingMerge?

    package init(
        identities: [OwnIdentity], hasPassword: Bool, pendingPhone: PendingPhone? = nil,
        pendingMerge: PendingMerge? = nil
    ) {
        self.pendingMerge = pendingMerge
        self.pendingPhone = pendingPhone
        self.identities = identities
        self.hasPassword = hasPassword
    }
}

/// One of the bearer's identities; times are Unix seconds.
package struct OwnIdentity: Codable, Sendable, Equatable {
    /// Names the identity to its user.
    package var id: String
    package var kind: VerifiedIdentity.Kind
    /// `apple`, or the provider's name in the policy; `nil` for a phone number or an email address.
    package var provider: String?
    /// The phone number or the email address; `nil` for an account at a provider.
    package var value: String?
    package var addedAt: Int64
    /// The last sign-in; `nil` if there was none.
    package var lastUsedAt: Int64?

    package init(
        id: String, kind: VerifiedIdentity.Kind, provider: String? = nil, value: String? = nil, addedAt: Int64,
        lastUsedAt: Int64? = nil
    ) {
        self.id = id
        self.kind = kind
        self.provider = provider
        self.value = value
        self.addedAt = addedAt
        self.lastUsedAt = lastUsedAt
    }
}

/// Gives the bearer the identity that a proof is about, in place of an earlier one of its kind.
package struct AddIdentityRequest: Codable, Sendable, Equatable {
    /// otp-service's attestation for this purpose, or the proof of an identity token or a phone token.
    package var proof: String
    /// Identifies the client's call: a repeat gets the same answer.
    package var callID: String

    package init(proof: String, callID: String) {
        self.proof = proof
        self.callID = callID
    }
}

/// Removes one of the bearer's identities.
package struct RemoveIdentityRequest: Codable, Sendable, Equatable {
    /// See `OwnIdentity`.
    package var id: String
    /// See `AddIdentityRequest`.
    package var callID: String

    package init(id: String, callID: String) {
        self.id = id
        self.callID = callID
    }
}

/// Sets the bearer's password, also the first one.
package struct SetPasswordRequest: Codable, Sendable, Equatable {
    package var password: String
    /// See `AddIdentityRequest`.
    package var callID: String

    package init(password: String, callID: String) {
        self.password = password
        self.callID = callID
    }
}

/// Removes the bearer's password.
package struct RemovePasswordRequest: Codable, Sendable, Equatable {
    /// See `AddIdentityRequest`.
    package var callID: String

    package init(callID: String) { self.callID = callID }
}
