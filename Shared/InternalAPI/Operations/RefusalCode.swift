/// Every code with which a service refuses a call, whichever operations have it.
package enum RefusalCode: String, CaseIterable, Sendable {
    case invalidRequest = "invalid_request"
    case assertionRefused = "assertion_refused"

    // The bearer of an access token.
    case invalidToken = "invalid_token"
    case accountInactive = "account_inactive"
    case forbidden
    case reauthenticationRequired = "reauthentication_required"
    case insufficientAuthentication = "insufficient_user_authentication"

    // Sign-ins and sessions.
    case attestationRefused = "attestation_refused"
    case accountUnderReview = "account_under_review"
    case deletionScheduled = "deletion_scheduled"
    case notInvited = "not_invited"
    case phoneChangePending = "phone_change_pending"
    case secondIdentityRequired = "second_identity_required"
    case secondFactorRequired = "second_factor_required"
    case grantRefused = "grant_refused"
    case grantStale = "epoch_stale"
    case idempotencyKeyUsed = "idempotency_key_spent"

    /// There is no such user, session or key.
    case notFound = "not_found"

    /// The administrator's operations. There is no such user.
    case noSuchUser = "no_such_user"
    case versionMismatch = "version_mismatch"
    /// Without the user there would be no administrator.
    case lastAdministrator = "last_admin"

    // The operator's operations.
    case taken
    case removalDue = "removal_due"
    case weakPassword = "weak_password"
    case addressTaken = "address_taken"
    case noPasswords = "no_passwords"
    case alreadyUser = "already_user"
    case keyRefused = "key_refused"
    case noCodes = "no_codes"
    case invalidEnd = "invalid_end"
    case blockedCountry = "blocked_country"
    case tooMany = "too_many"

    // Messages between services.
    case providerError = "provider_error"
    case notSent = "not_sent"

    /// The HTTP status of the response: 4xx, since the service itself works.
    package var status: Int {
        switch self {
        case .invalidRequest, .idempotencyKeyUsed, .weakPassword: 400
        case .assertionRefused, .invalidToken, .attestationRefused, .grantRefused, .insufficientAuthentication: 401
        case .accountInactive, .accountUnderReview, .forbidden, .reauthenticationRequired, .notInvited,
            .secondIdentityRequired, .secondFactorRequired:
            403
        case .notFound, .noSuchUser: 404
        case .deletionScheduled, .grantStale, .taken, .removalDue, .addressTaken, .noPasswords, .alreadyUser,
            .keyRefused, .tooMany, .phoneChangePending, .lastAdministrator:
            409
        case .versionMismatch: 412
        case .noCodes, .invalidEnd, .blockedCountry, .providerError, .notSent: 422
        }
    }

    /// A sentence for the person who reads the response, e.g. the operator at latchkeyctl.
    package var title: String {
        switch self {
        case .invalidRequest: "The request is invalid"
        case .assertionRefused: "The request is not from one of us"
        case .invalidToken: "The access token is not valid"
        case .accountInactive: "The account is deactivated"
        case .forbidden: "The user does not have the role that this needs"
        case .reauthenticationRequired: "The user has to show again who they are, or send the password"
        case .insufficientAuthentication: "The session needs a second factor"
        case .attestationRefused: "The attestation is invalid, expired or already used"
        case .accountUnderReview: "The account is under review, and this was changed since"
        case .deletionScheduled: "The account waits for its deletion"
        case .notInvited: "Only invited people can become users"
        case .phoneChangePending: "An account gets this phone number later"
        case .secondIdentityRequired: "The account with this phone number needs another proof"
        case .secondFactorRequired: "The user has a second factor"
        case .grantRefused: "The grant opens no session"
        case .grantStale: "The grant is older than a revocation"
        case .idempotencyKeyUsed: "The Idempotency-Key created this very token"
        case .notFound, .noSuchUser: "There is no such user"
        case .lastAdministrator: "This is the last administrator"
        case .versionMismatch: "The user was changed meanwhile"
        case .taken: "Another user has this phone number or email address"
        case .removalDue: "The removal is due: the user cannot be restored any more"
        case .weakPassword: "The password is too short, too long, too common, or the address itself"
        case .addressTaken: "A user has this address already, or an administrator with another password"
        case .noPasswords: "The policy has no passwords"
        case .alreadyUser: "This person already has an account"
        case .keyRefused: "The state of the keys does not allow it"
        case .noCodes: "The policy sends no codes to phones (otp: none)"
        case .invalidEnd: "The end is in the past, or too far away"
        case .blockedCountry: "The policy's countries do not hold this number"
        case .tooMany: "The maximum number is open; one of them has to end first"
        case .providerError: "The mail provider did not take it"
        case .notSent: "The recipient gets no such message"
        }
    }
}
