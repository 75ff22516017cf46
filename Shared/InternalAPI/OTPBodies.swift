/// Forgets the networks from which the holder of a number and an address signed in, and voids earlier codes; answered with
/// `Done`.
package struct ForgetNetworksRequest: Codable, Sendable, Equatable {
    /// E.164; nil for who had none.
    package var phone: String?
    /// In its one spelling; nil for who had none.
    package var email: String?
    /// Unix time in seconds; networks of sign-ins on a later day stay known.
    package var until: Int64
    /// Unix time in seconds; codes requested then or before are void, and the next request makes a new one. `nil`: all codes
    /// stay valid.
    package var codesUntil: Int64?

    package init(phone: String? = nil, email: String? = nil, until: Int64, codesUntil: Int64? = nil) {
        self.phone = phone
        self.email = email
        self.until = until
        self.codesUntil = codesUntil
    }
}

/// Asks for a one-time code to be sent.
package struct OTPRequest: Codable, Sendable, Equatable {
    /// As the client wrote it; otp-service makes the one canonical number of it.
    package var phone: String
    /// The region for national numbers, e.g. `US`.
    package var region: String?
    package var purpose: Purpose
    /// By whose rules it is judged, and in which alone the code holds; nil: native.
    package var dialect: String?
    /// `sms` unless the client asks for another.
    package var channel: String?
    package var locale: String?
    /// The client's address, for limits; text form of IPv4 or IPv6.
    package var address: String
    /// The number in the caller's own access token, which the gateway has verified; its owner is no stranger.
    package var signedInPhone: String?
    /// Makes a repeat of this very call harmless: neither counted nor sent twice.
    package var callID: String
    /// The number is no user's, and nobody has invited it to a closed app: all is done and counted, and nothing sent. Nil:
    /// it is not.
    package var isUnwelcome: Bool?
    /// What the asking app's SMS Retriever knows messages by; nil: none is asked for.
    package var appHash: String?

    package init(
        phone: String, region: String?, purpose: Purpose, dialect: String? = nil, channel: String? = nil,
        locale: String? = nil, address: String, signedInPhone: String? = nil, callID: String,
        isUnwelcome: Bool? = nil, appHash: String? = nil
    ) {
        self.appHash = appHash
        self.isUnwelcome = isUnwelcome
        self.phone = phone
        self.region = region
        self.purpose = purpose
        self.dialect = dialect
        self.channel = channel
        self.locale = locale
        self.address = address
        self.signedInPhone = signedInPhone
        self.callID = callID
    }
}

/// What came of an `OTPRequest`; the names are those of the metric `auth_otp_requests_total`.
package enum OTPRequestResult: String, Codable, Sendable {
    case sent, suppressed
    case rateLimited = "rate_limited"
    case invalidPhone = "invalid_phone"
    case invalidEmail = "invalid_email"
    /// Nothing goes out this way here.
    case off
    case blockedCountry = "blocked_country"
    /// The channel that was asked for is none of the deployment's.
    case unsupportedChannel = "unsupported_channel"
    case providerError = "provider_error"
    /// Mail to this address came back lately, or nobody has it.
    case undeliverable
    /// The number's holder has answered STOP to the sender.
    case optedOut = "opted_out"
}

package struct OTPRequestAnswer: Codable, Sendable, Equatable {
    package var result: OTPRequestResult
    /// Seconds until a request is worth trying again.
    package var retryAfterSeconds: Int64?

    package init(_ result: OTPRequestResult, retryAfterSeconds: Int64? = nil) {
        self.result = result
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// Presents the code that a person typed.
package struct OTPVerify: Codable, Sendable, Equatable {
    package var phone: String
    package var region: String?
    package var code: String
    package var purpose: Purpose
    /// As in `OTPRequest`.
    package var dialect: String?
    package var address: String
    /// As in `OTPRequest`.
    package var signedInPhone: String?
    /// Makes a repeat of this very call harmless: the attempt counts once.
    package var callID: String

    package init(
        phone: String, region: String?, code: String, purpose: Purpose, dialect: String? = nil, address: String,
        signedInPhone: String? = nil, callID: String
    ) {
        self.phone = phone
        self.region = region
        self.code = code
        self.purpose = purpose
        self.dialect = dialect
        self.address = address
        self.signedInPhone = signedInPhone
        self.callID = callID
    }
}

/// What came of an `OTPVerify`; the names are those of the metric `auth_otp_verifications_total`.
package enum OTPVerifyResult: String, Codable, Sendable {
    case approved, expired, unknown
    case wrongCode = "wrong_code"
    /// The code was right and has already opened a session.
    case used
    case tooManyAttempts = "too_many_attempts"
    case invalidPhone = "invalid_phone"
    case invalidEmail = "invalid_email"
    /// Nothing goes out this way here.
    case off
}

package struct OTPVerifyAnswer: Codable, Sendable, Equatable {
    package var result: OTPVerifyResult
    /// Sealed for user-service; only with `approved`.
    package var attestation: String?
    /// Seconds until the lockout ends; only with `tooManyAttempts`.
    package var retryAfterSeconds: Int64?

    package init(_ result: OTPVerifyResult, attestation: String? = nil, retryAfterSeconds: Int64? = nil) {
        self.result = result
        self.attestation = attestation
        self.retryAfterSeconds = retryAfterSeconds
    }
}
