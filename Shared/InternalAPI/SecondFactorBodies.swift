/// Changes the bearer's second factor. Each operation reads its own member.
package struct SecondFactorChange: Codable, Sendable, Equatable {
    /// The first code of a new secret; only for `activate`.
    package var code: String?
    /// Whether each sign-in with one factor asks for a second one; only for `require`.
    package var required: Bool?

    package init(code: String? = nil, required: Bool? = nil) { (self.code, self.required) = (code, required) }
}

/// The outcome of a `SecondFactorChange`.
package struct SecondFactorAnswer: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable, CaseIterable {
        case done
        /// The code is wrong, or was used.
        case refused
        /// TOTP is on already.
        case exists
        /// The user has no secret that waits for its first code, or no factor that this needs.
        case notFound = "not_found"
        /// The user needs recovery codes first.
        case noRecoveryCodes = "no_recovery_codes"
        /// The policy has no TOTP.
        case off
    }

    package var result: Result
    /// The new secret; only after `enrol`.
    package var enrolment: TOTPEnrolment?
    /// The new recovery codes, which are shown only once.
    package var recoveryCodes: [String]?
    /// Unix time in seconds from which TOTP is on; `nil` if it is on.
    package var activeFrom: Int64?

    package init(
        _ result: Result, enrolment: TOTPEnrolment? = nil, recoveryCodes: [String]? = nil, activeFrom: Int64? = nil
    ) {
        self.result = result
        self.activeFrom = activeFrom
        self.enrolment = enrolment
        self.recoveryCodes = recoveryCodes
    }
}

/// A secret for an authenticator app. It is no second factor before its first code.
package struct TOTPEnrolment: Codable, Sendable, Equatable {
    /// Base32 without padding.
    package var secret: String
    /// The `otpauth` URI for a QR code.
    package var uri: String

    package init(secret: String, uri: String) { (self.secret, self.uri) = (secret, uri) }
}

/// The bearer's second factor.
package struct SecondFactorState: Codable, Sendable, Equatable {
    /// Whether TOTP is on.
    package var totp: Bool
    /// Whether each sign-in with one factor asks for a second one.
    package var required: Bool
    package var recoveryCodesLeft: Int64
    /// The number of passkeys that can be the second factor.
    package var passkeys: Int64
    /// Unix time in seconds from which TOTP is on; `nil` unless it waits.
    package var activeFrom: Int64?
    /// Unix time in seconds at which support removes TOTP, unless the user objects; `nil` if it does not.
    package var resetAt: Int64?

    package init(
        totp: Bool, required: Bool, recoveryCodesLeft: Int64, passkeys: Int64, activeFrom: Int64? = nil,
        resetAt: Int64? = nil
    ) {
        self.resetAt = resetAt
        self.activeFrom = activeFrom
        self.totp = totp
        self.required = required
        self.recoveryCodesLeft = recoveryCodesLeft
        self.passkeys = passkeys
    }
}

/// The kinds of second factors, as a client reads them.
package enum SecondFactorMethod: String, Codable, Sendable, CaseIterable {
    case totp, passkey, recovery
}

/// Requests the options for a passkey as the second factor.
package struct SecondFactorOptionsRequest: Codable, Sendable, Equatable {
    /// See `ProveSecondFactorRequest`.
    package var mfaToken: String

    package init(mfaToken: String) { self.mfaToken = mfaToken }
}

/// Presents a second factor after `resolve` was refused with `second_factor_required`: exactly one of a code, a recovery code, and a
/// passkey.
package struct ProveSecondFactorRequest: Codable, Sendable, Equatable {
    /// The token of `HeldSignIn`.
    package var mfaToken: String
    package var code: String?
    package var recoveryCode: String?
    package var passkey: PresentedPasskey?
    /// Identifies this call: a code serves one call, and its repeats.
    package var callID: String

    package init(
        mfaToken: String, code: String? = nil, recoveryCode: String? = nil, passkey: PresentedPasskey? = nil,
        callID: String
    ) {
        self.mfaToken = mfaToken
        self.code = code
        self.recoveryCode = recoveryCode
        self.passkey = passkey
        self.callID = callID
    }
}

/// The outcome of a `ProveSecondFactorRequest`.
package struct ProveSecondFactorAnswer: Codable, Sendable, Equatable {
    package enum Result: String, Codable, Sendable, CaseIterable {
        case proved
        /// The factor is wrong or was used, or the `mfaToken` is not valid any more.
        case refused
        case rateLimited = "rate_limited"
    }

    package var result: Result
    /// Both factors as one sealed proof for `resolve`; only if both are right.
    package var attestation: String?
    /// Seconds until another code is allowed; only with `rate_limited`.
    package var retryAfterSeconds: Int64?

    package init(_ result: Result, attestation: String? = nil, retryAfterSeconds: Int64? = nil) {
        self.result = result
        self.attestation = attestation
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// Begins to remove all second factors of a user who has lost them, or ends that.
package struct ResetSecondFactorRequest: Codable, Sendable, Equatable {
    package var userID: String
    /// Whether a reset that has begun ends.
    package var cancels: Bool

    package init(userID: String, cancels: Bool) { (self.userID, self.cancels) = (userID, cancels) }
}
