/// Registers an account with an email address and a password; its owner confirms it by a mailed link.
package struct RegisterRequest: Codable, Sendable, Equatable {
    /// The address as the client wrote it, here and in the other requests of this file; user-service normalises it.
    package var email: String
    package var password: String
    package var name: String?
    /// The languages that the client asks for, best first.
    package var locales: [String]
    /// The client's IP address (IPv4 or IPv6 as text), used for limits.
    package var address: String
    /// Identifies this call: a repeat gets the same response and has no further effect.
    package var callID: String
    /// Whether the mailed link confirms the registration without the password; `nil` means it does not.
    package var linkSuffices: Bool?
    /// The way back to an app of the dialect `supabase`; `nil` for any other client.
    package var back: MailReturn?

    package init(
        email: String, password: String, name: String? = nil, locales: [String], address: String, callID: String,
        linkSuffices: Bool? = nil, back: MailReturn? = nil
    ) {
        self.back = back
        self.email = email
        self.password = password
        self.name = name
        self.locales = locales
        self.address = address
        self.callID = callID
        self.linkSuffices = linkSuffices
    }
}

/// Requests a mail with a link: to confirm a registration, or to set a password.
package struct AccountMailRequest: Codable, Sendable, Equatable {
    package var email: String
    package var locales: [String]
    package var address: String
    package var callID: String
    /// Whether renewed links confirm a registration without the password; see `RegisterRequest`.
    package var linkSuffices: Bool?
    /// See `RegisterRequest`.
    package var back: MailReturn?

    package init(
        email: String, locales: [String], address: String, callID: String, linkSuffices: Bool? = nil,
        back: MailReturn? = nil
    ) {
        self.back = back
        self.email = email
        self.locales = locales
        self.address = address
        self.callID = callID
        self.linkSuffices = linkSuffices
    }
}

/// Presents a link's token, or the code beside it, and a password: that of the registration, or the new one.
package struct AccountLinkRequest: Codable, Sendable, Equatable {
    /// Empty if `code` is presented.
    package var token: String
    /// The secret of the app that requested the link; only for links with a `MailReturn`.
    package var verifier: String?
    /// The address that the mail with the code was sent to.
    package var email: String?
    package var code: String?
    /// Whether the answer has a proof, with which the client signs in; `nil` means it does not.
    package var signsIn: Bool?
    /// `nil` if the registration's link confirms it without the password.
    package var password: String?
    package var address: String
    package var callID: String

    package init(
        token: String = "", verifier: String? = nil, email: String? = nil, code: String? = nil, signsIn: Bool? = nil,
        password: String?, address: String, callID: String
    ) {
        (self.verifier, self.email, self.code, self.signsIn) = (verifier, email, code, signsIn)
        self.token = token
        self.password = password
        self.address = address
        self.callID = callID
    }
}

/// Requests the address that a reset link was mailed to.
package struct ResetLinkRequest: Codable, Sendable, Equatable {
    package var token: String

    package init(token: String) { self.token = token }
}

/// The address that a reset link was mailed to.
package struct ResetLinkAnswer: Codable, Sendable, Equatable {
    /// `nil` for every token that sets no password now: unknown, used, expired or for something else.
    package var email: String?

    package init(email: String?) { self.email = email }
}

/// Verifies an email address by its password.
package struct PasswordProofRequest: Codable, Sendable, Equatable {
    package var email: String
    package var password: String
    package var address: String
    /// `nil` if the client did not identify its call: no reply is kept then, and a repeat hashes again and gets another
    /// proof.
    package var callID: String?
    /// See `ResolveRequest`.
    package var origin: SignInOrigin?

    package init(email: String, password: String, address: String, callID: String?, origin: SignInOrigin? = nil) {
        self.email = email
        self.password = password
        self.address = address
        self.callID = callID
        self.origin = origin
    }
}

/// Changes the bearer's password.
package struct ChangePasswordRequest: Codable, Sendable, Equatable {
    package var oldPassword: String
    package var newPassword: String
    package var address: String
    package var callID: String

    package init(oldPassword: String, newPassword: String, address: String, callID: String) {
        self.oldPassword = oldPassword
        self.newPassword = newPassword
        self.address = address
        self.callID = callID
    }
}

/// Schedules the bearer's account for deletion, confirmed by its password.
package struct DeleteByPasswordRequest: Codable, Sendable, Equatable {
    package var password: String
    package var address: String
    package var callID: String

    package init(password: String, address: String, callID: String) {
        self.password = password
        self.address = address
        self.callID = callID
    }
}

/// The outcome of a request about an account with a password.
package struct AccountAnswer: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable {
        case done
        /// The password was right; only for requests that verify one.
        case proved
        case invalidEmail = "invalid_email"
        case invalidName = "invalid_name"
        case weakPassword = "weak_password"
        case registrationClosed = "registration_closed"
        /// The link was used, has expired, is unknown, or serves another purpose.
        case invalidLink = "invalid_link"
        /// The password of a registration or of a signed-in user is wrong.
        case wrongPassword = "wrong_password"
        /// One refusal for an unknown address, an unconfirmed one, one without a password, and a wrong password.
        case invalidCredentials = "invalid_credentials"
        /// The user is deactivated; reported only if the password was right.
        case accountInactive = "account_inactive"
        case noPassword = "no_password"
        case rateLimited = "rate_limited"
        /// The new password is valid; token-service has not yet confirmed that the sessions are revoked.
        case changePending = "change_pending"
        /// Another user has the identity.
        case identityInUse = "identity_in_use"
        /// The merge token is forged, expired or another session's, the accounts have changed since, or the merge that it began has ended.
        case mergeRefused = "merge_refused"
        /// Something more of the other account has to be verified before it is merged.
        case mergeProofRequired = "merge_proof_required"
        /// The accounts are merged at `movesAt`, unless one of the users objects.
        case mergeWaits = "merge_waits"
        /// The proof of the other account is wrong, used, too old, or of another account.
        case mergeProofWrong = "merge_proof_wrong"
        /// Without it the user could not sign in any more.
        case lastIdentity = "last_identity"
        case noIdentity = "no_identity"
        /// The user's identities changed while the call was under way.
        case changedMeanwhile = "changed_meanwhile"
        /// The proof is forged, expired or used, or is for another user or purpose.
        case proofRefused = "proof_refused"
        /// The user has no verified email address, which a password needs.
        case noAddress = "no_address"
        /// The user is the last administrator of a deployment with the API for administrators.
        case lastAdministrator = "last_admin"
        /// The registration of a passkey breaks a rule, which the audit record names; or its challenge is expired or another's.
        case passkeyInvalid = "passkey_invalid"
        /// A user has the credential.
        case passkeyExists = "passkey_exists"
        case tooManyPasskeys = "too_many_passkeys"
        case noPasskey = "no_passkey"
        /// The policy has no such section.
        case off
    }

    package var result: Result
    /// The limit that refused; only with `rateLimited`.
    package var limit: LimitKind?
    /// Seconds until another try is allowed; only with `rateLimited`.
    package var retryAfterSeconds: Int64?
    /// The proof that `resolve` accepts; with `proved`, and with `done` if the request signs in.
    package var proof: String?
    /// The answer of `resolve` to `proof`, which saves the login a call; `nil` if `resolve` has to be called.
    package var resolved: ResolveAnswer?
    /// `true` if the session of the call is among those that the change ends; otherwise `nil`.
    package var endsOwnSession: Bool?
    /// Merges the account that has the identity; only with `identityInUse`, and `nil` if it cannot be merged.
    package var mergeToken: String?
    /// The parts of the other account that the user can verify: `password`, `phone`, `email`, or the name of a provider; only with
    /// `mergeProofRequired`.
    package var methods: [String]?
    /// Unix time in seconds of a merge that waits; only with `mergeWaits`.
    package var movesAt: Int64?
    /// The passkey that was added or renamed; one that waits has `activeFrom`.
    package var passkey: OwnPasskey?

    package init(
        _ result: Result, limit: LimitKind? = nil, retryAfterSeconds: Int64? = nil, proof: String? = nil,
        resolved: ResolveAnswer? = nil, endsOwnSession: Bool = false, mergeToken: String? = nil,
        methods: [String]? = nil, movesAt: Int64? = nil, passkey: OwnPasskey? = nil
    ) {
        self.passkey = passkey
        (self.mergeToken, self.methods, self.movesAt) = (mergeToken, methods, movesAt)
        self.endsOwnSession = endsOwnSession ? true : nil
        self.result = result
        self.limit = limit
        self.retryAfterSeconds = retryAfterSeconds
        self.proof = proof
        self.resolved = resolved
    }
}
