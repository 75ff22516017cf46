/// Forgets the networks from which the holder of a phone number and an email address signed in, and voids earlier codes;
/// answered with `Done`.
package struct ForgetNetworksRequest: Codable, Sendable, Equatable {
    /// The phone number in E.164; `nil` if the user had none.
    package var phone: String?
    /// The normalised email address; `nil` if the user had none.
    package var email: String?
    /// Unix time in seconds; networks of sign-ins on a later day stay recognised.
    package var until: Int64
    /// Unix time in seconds; codes requested at or before this time are void, and the next request creates a new one.
    /// `nil`: all codes stay valid.
    package var codesUntil: Int64?

    package init(phone: String? = nil, email: String? = nil, until: Int64, codesUntil: Int64? = nil) {
        self.phone = phone
        self.email = email
        self.until = until
        self.codesUntil = codesUntil
    }
}

/// Requests a one-time code.
package struct OTPRequest: Codable, Sendable, Equatable {
    /// The phone number as the client wrote it; otp-service normalises it.
    package var phone: String
    /// The region for national numbers, e.g. `US`.
    package var region: String?
    package var purpose: Purpose
    /// The signed-in user who requests the code, only for a purpose that is bound to a user (`Purpose.isBound`).
    package var userID: String?
    /// The dialect whose rules apply, and in which only the code is valid; `nil` means native.
    package var dialect: String?
    /// The requested channel; `nil` means `sms`.
    package var channel: String?
    package var locale: String?
    /// The client's IP address (IPv4 or IPv6 as text), used for limits.
    package var address: String
    /// The phone number in the client's own access token, verified by the gateway; it makes the client a recognised one.
    package var signedInPhone: String?
    /// Identifies this call: a repeat is neither counted nor sent again.
    package var callID: String
    /// Whether the phone number belongs to no user and has no invitation to a closed app: then the request is counted as
    /// usual, but no message is sent. `nil` means `false`.
    package var isUnwelcome: Bool?
    /// The app's hash for the SMS Retriever API; `nil` if the client sent none.
    package var appHash: String?

    package init(
        phone: String, region: String?, purpose: Purpose, userID: String? = nil, dialect: String? = nil,
        channel: String? = nil, locale: String? = nil, address: String, signedInPhone: String? = nil, callID: String,
        isUnwelcome: Bool? = nil, appHash: String? = nil
    ) {
        self.appHash = appHash
        self.isUnwelcome = isUnwelcome
        self.phone = phone
        self.region = region
        self.purpose = purpose
        self.userID = userID
        self.dialect = dialect
        self.channel = channel
        self.locale = locale
        self.address = address
        self.signedInPhone = signedInPhone
        self.callID = callID
    }
}

/// The outcome of an `OTPRequest`; the values are those of the metric `auth_otp_requests_total`.
package enum OTPRequestResult: String, Codable, Sendable {
    case sent, suppressed
    case rateLimited = "rate_limited"
    case invalidPhone = "invalid_phone"
    case invalidEmail = "invalid_email"
    /// The deployment sends no messages of this kind.
    case off
    case blockedCountry = "blocked_country"
    /// The deployment does not offer the requested channel.
    case unsupportedChannel = "unsupported_channel"
    case providerError = "provider_error"
    /// Mail to this address bounced lately, or the address does not exist.
    case undeliverable
    /// The number's holder has replied STOP to the sender.
    case optedOut = "opted_out"
}

package struct OTPRequestAnswer: Codable, Sendable, Equatable {
    package var result: OTPRequestResult
    /// The limit that refused; only with `rateLimited`.
    package var limit: LimitKind?
    /// Seconds until a request is worth trying again.
    package var retryAfterSeconds: Int64?

    package init(_ result: OTPRequestResult, limit: LimitKind? = nil, retryAfterSeconds: Int64? = nil) {
        self.result = result
        self.limit = limit
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// Presents the code that a person entered.
package struct OTPVerify: Codable, Sendable, Equatable {
    package var phone: String
    package var region: String?
    package var code: String
    package var purpose: Purpose
    /// See `OTPRequest`.
    package var userID: String?
    /// See `OTPRequest`.
    package var dialect: String?
    package var address: String
    /// See `OTPRequest`.
    package var signedInPhone: String?
    /// Identifies this call: a repeat does not count as another attempt.
    package var callID: String

    package init(
        phone: String, region: String?, code: String, purpose: Purpose, userID: String? = nil,
        dialect: String? = nil, address: String, signedInPhone: String? = nil, callID: String
    ) {
        self.phone = phone
        self.region = region
        self.code = code
        self.purpose = purpose
        self.userID = userID
        self.dialect = dialect
        self.address = address
        self.signedInPhone = signedInPhone
        self.callID = callID
    }
}

/// The outcome of an `OTPVerify`; the values are those of the metric `auth_otp_verifications_total`.
package enum OTPVerifyResult: String, Codable, Sendable {
    case approved, expired, unknown
    case wrongCode = "wrong_code"
    /// The code was right and has already opened a session.
    case used
    case tooManyAttempts = "too_many_attempts"
    case invalidPhone = "invalid_phone"
    case invalidEmail = "invalid_email"
    /// The deployment sends no messages of this kind.
    case off
}

package struct OTPVerifyAnswer: Codable, Sendable, Equatable {
    package var result: OTPVerifyResult
    /// The attestation, sealed for user-service; only with `approved`.
    package var attestation: String?
    /// The limit that refused; only with `tooManyAttempts`.
    package var limit: LimitKind?
    /// Seconds until the lockout ends; only with `tooManyAttempts`.
    package var retryAfterSeconds: Int64?

    package init(
        _ result: OTPVerifyResult, attestation: String? = nil, limit: LimitKind? = nil,
        retryAfterSeconds: Int64? = nil
    ) {
        self.result = result
        self.attestation = attestation
        self.limit = limit
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// States a phone number that a provider's token has verified, which counts like a right code.
package struct VerifiedNumber: Codable, Sendable, Equatable {
    /// The phone number in E.164.
    package var phone: String
    /// See `OTPRequest`.
    package var address: String
    /// See `OTPRequest`.
    package var signedInPhone: String?
    /// Identifies this call: a repeat does not count as another attempt.
    package var callID: String

    package init(phone: String, address: String, signedInPhone: String? = nil, callID: String) {
        self.phone = phone
        self.address = address
        self.signedInPhone = signedInPhone
        self.callID = callID
    }
}

/// Whether a number that a token has verified may sign in now.
package struct VerifiedNumberAnswer: Codable, Sendable, Equatable {
    /// The limit that refused it; `nil` if it may sign in now.
    package var limit: LimitKind?
    /// Seconds until it may; `nil` if it may now.
    package var retryAfterSeconds: Int64?

    package init(limit: LimitKind? = nil, retryAfterSeconds: Int64? = nil) {
        self.limit = limit
        self.retryAfterSeconds = retryAfterSeconds
    }
}
