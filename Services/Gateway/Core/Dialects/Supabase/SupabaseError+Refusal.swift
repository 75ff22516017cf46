import EdgeHTTP
import InternalAPI

/// GoTrue's status and code for each refusal.
///
/// A wrong status signs people out or hides the code: never 501, no 429 for a refresh, and `session_not_found` only when the session
/// is gone.
extension SupabaseError {
    private static let names = ["phone": "phone", "region": "region"]

    /// - Parameter isAtToken: whether a limit becomes 503, since clients sign out when a refresh gets a 429.
    init(_ refusal: Refusal, isAtToken: Bool = false) {
        let words = RefusalWords(refusal, names: Self.names)
        let (status, code) = Self.entry(refusal, words, isAtToken)
        switch (status, code) {
        case (_, Self.otpExpired.code): self = .otpExpired
        case (_, Self.invalidCredentials.code): self = .invalidCredentials
        default:
            self.init(
                status, code, words.title, retryAfterSeconds: words.retryAfterSeconds,
                headers: words.headers.filter { $0.0 != "WWW-Authenticate" })
        }
    }

    private static func entry(
        _ refusal: Refusal, _ words: RefusalWords, _ isAtToken: Bool
    ) -> (status: Int, code: String) {
        switch refusal {
        case .invalidBody(.notJSON), .invalidBody(.brokenMember): (400, "bad_json")
        case .wrongCode, .codeExpired, .tooManyGuesses, .tooManyAttempts, .invalidLink: (403, "otp_expired")
        case .invalidCredentials, .noPassword: (400, "invalid_credentials")
        case .wrongPassword: (400, "current_password_invalid")
        case .invalidIdentityToken, .identityTokenUsed: (400, "bad_jwt")
        case .invalidSignIn: (404, "flow_state_not_found")
        case .noAccessToken, .nothingToEnd, .clientRefused: (401, "no_authorization")
        case .accessTokenExpired, .accessTokenInvalid: (403, "bad_jwt")
        case .sessionRevoked: (403, "session_not_found")
        case .refreshTokenInvalid(let result, _): (400, code(of: result))
        case .accountInactive, .accountUnderReview, .deletionScheduled: (isAtToken ? 400 : 403, "user_banned")
        case .secondFactorRequired, .secondIdentityRequired, .authenticationTooWeak: (403, "insufficient_aal")
        case .registrationClosed, .notInvited: (422, "signup_disabled")
        case .blockedCountry, .numberOptedOut, .codeNotSent: (422, "sms_send_failed")
        case .undeliverableEmail: (400, "email_address_invalid")
        case .weakPassword: (422, "weak_password")
        case .addressNeeded: (422, "email_address_not_provided")
        case .identityInUse: (422, "identity_already_exists")
        case .lastIdentity: (422, "single_identity_not_deletable")
        case .noSuchIdentity: (404, "identity_not_found")
        case .reauthenticationRequired: (400, "reauthentication_needed")
        case .reauthenticationFailed: (422, "reauthentication_not_valid")
        case .phoneChangePending, .identityChanged, .mergeRefused, .mergeProofRequired, .versionMismatch,
            .lastAdministrator, .removalDue, .reviewAccessesOpen:
            (409, "conflict")
        case .secondFactorRefused: (422, "mfa_verification_failed")
        case .secondFactorExists: (422, "mfa_verified_factor_exists")
        case .noSecondFactor: (404, "mfa_factor_not_found")
        case .recoveryCodesNeeded: (422, "mfa_totp_enroll_not_enabled")
        case .passkeyRefused, .passkeyInvalid, .passkeyExists, .tooManyPasskeys, .noSuchPasskey:
            (404, "passkey_disabled")
        case .roleMissing: (403, "not_admin")
        case .noSuchUser: (404, "user_not_found")
        case .alreadyUser: (422, "user_already_exists")
        case .notFound: (404, "feature_disabled")
        case .tooMany(.sends, _): (isAtToken ? 503 : 429, "over_sms_send_rate_limit")
        case .tooMany, .tooManyRequests: (isAtToken ? 503 : 429, "over_request_rate_limit")
        case .unavailable, .changePending: (503, "unexpected_failure")
        case .upstream: (words.status, words.status == 504 ? "request_timeout" : "unexpected_failure")
        case .violation(let violation): entry(violation)
        case .invalidBody, .invalid, .invalidMember, .notAssignable, .malformedIdempotencyKey, .usedIdempotencyKey,
            .rightsAsked, .changedElsewhere, .noRefreshToken, .invalidPhone, .invalidEmail, .unsupportedChannel,
            .forgedWebhook, .forgedCallback:
            (400, "validation_failed")
        case .noSuchSession, .methodNotAllowed, .httpsRequired, .crossSite, .ambiguousCookie, .encodedBody:
            (words.status, "validation_failed")
        }
    }

    /// Returns the code for the outcome of presenting a refresh token.
    private static func code(of result: RefreshResult) -> String {
        switch result {
        case .reused: "refresh_token_already_used"
        case .revoked: "session_not_found"
        case .expired: "session_expired"
        case .inactive: "user_banned"
        case .rotated, .repeated, .unknown, .malformed, .rateLimited: "refresh_token_not_found"
        }
    }

    private static func entry(_ violation: HTTPViolation) -> (status: Int, code: String) {
        switch violation {
        case .bodyTooLarge: (413, "request_entity_too_large")
        case .headerTimeout, .bodyTimeout: (408, "request_timeout")
        // JavaScript and Dart read every 501 as an outage.
        case .unknownMethod: (405, "validation_failed")
        default: (violation.status >= 500 ? 400 : violation.status, "validation_failed")
        }
    }
}
