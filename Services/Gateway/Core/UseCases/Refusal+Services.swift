import InternalAPI
import Policies

// The client's refusal that each refusal and each result of a service becomes. This is the only place that decides it.

extension RefusalCode {
    var toClient: Refusal {
        switch self {
        case .invalidRequest: .invalidMember
        case .invalidToken: .accessTokenInvalid
        case .accountInactive: .accountInactive
        case .accountUnderReview: .accountUnderReview
        case .forbidden: .roleMissing([ListUsers.role])
        case .reauthenticationRequired: .reauthenticationRequired
        case .attestationRefused, .grantRefused: .wrongCode
        // `OpenSession` adds the token.
        case .deletionScheduled: .deletionScheduled()
        case .notInvited: .notInvited
        // `OpenSession` adds the details.
        case .phoneChangePending: .phoneChangePending(movesAt: nil)
        case .secondIdentityRequired: .secondIdentityRequired(methods: [])
        // `OpenSession` adds the token.
        case .secondFactorRequired: .secondFactorRequired()
        case .insufficientAuthentication: .authenticationTooWeak(RequiredAuthentication(level: .aal2))
        case .idempotencyKeyUsed: .usedIdempotencyKey
        // A session of another user and one that never existed get the same response.
        case .notFound: .noSuchSession
        case .noSuchUser: .noSuchUser
        case .versionMismatch: .versionMismatch
        case .lastAdministrator: .lastAdministrator
        case .taken: .identityInUse()
        case .removalDue: .removalDue
        case .alreadyUser: .alreadyUser
        case .noCodes: .unsupportedChannel
        case .blockedCountry: .blockedCountry
        case .tooMany: .reviewAccessesOpen
        // `OpenSession` repeats the sign-in after the first; the others are refusals to the operator or between services.
        case .grantStale, .assertionRefused, .weakPassword, .addressTaken, .noPasswords, .keyRefused, .invalidEnd,
            .providerError, .notSent:
            .unavailable
        }
    }
}

/// A service's answer whose result may be a refusal to the client.
protocol RefusableAnswer {
    /// `nil` if the operation was carried out.
    var refusal: Refusal? { get }
}

/// The seconds after which a client tries again if the service does not state them.
enum Wait {
    static let limit: Int64 = 60
    static let provider: Int64 = 5
    static let lockout: Int64 = 3_600
    /// By then the outbox has ended the sessions, unless token-service is away for longer.
    static let change: Int64 = 5
}

extension OTPRequestAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        // A client cannot distinguish a code that is left out on purpose.
        case .sent, .suppressed: nil
        case .rateLimited: .tooMany(limit ?? .sends, retryAfterSeconds: retryAfterSeconds ?? Wait.limit)
        case .invalidPhone: .invalidPhone
        case .invalidEmail: .invalidEmail
        case .off: .notFound
        case .blockedCountry: .blockedCountry
        case .optedOut: .numberOptedOut
        case .unsupportedChannel: .unsupportedChannel
        case .providerError: .codeNotSent(retryAfterSeconds: retryAfterSeconds ?? Wait.provider)
        case .undeliverable: .undeliverableEmail
        }
    }
}

extension OTPVerifyAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .approved: nil
        case .tooManyAttempts: .tooManyGuesses(limit ?? .lockout, retryAfterSeconds: retryAfterSeconds ?? Wait.lockout)
        case .invalidPhone: .invalidPhone
        case .invalidEmail: .invalidEmail
        case .off: .notFound
        case .expired: .codeExpired
        case .wrongCode, .unknown, .used: .wrongCode
        }
    }
}

extension PhoneTokenAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .proved: nil
        case .refused: .invalidIdentityToken
        case .used: .identityTokenUsed
        case .blockedCountry: .blockedCountry
        case .tooManyAttempts: .tooManyGuesses(limit ?? .lockout, retryAfterSeconds: retryAfterSeconds ?? Wait.lockout)
        case .off: .notFound
        }
    }
}

extension IdentityTokenAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .proved: nil
        case .refused: .invalidIdentityToken
        case .off: .notFound
        }
    }
}

extension WebSignInAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .redirected: nil
        case .refused: .invalidSignIn
        case .off: .notFound
        }
    }
}

extension AccountAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .done, .proved, .mergeWaits: nil
        case .invalidEmail: .invalidEmail
        case .invalidName: .invalid(member: "name")
        case .weakPassword: .weakPassword
        case .registrationClosed: .registrationClosed
        case .invalidLink: .invalidLink
        case .wrongPassword: .wrongPassword
        case .invalidCredentials: .invalidCredentials
        case .accountInactive: .accountInactive
        case .noPassword: .noPassword
        case .identityInUse: .identityInUse(mergeToken: mergeToken)
        case .mergeRefused: .mergeRefused
        case .mergeProofWrong: .reauthenticationFailed
        case .mergeProofRequired: .mergeProofRequired(methods: methods ?? [])
        case .lastIdentity: .lastIdentity
        case .noIdentity: .noSuchIdentity
        case .changedMeanwhile: .identityChanged
        case .proofRefused: .wrongCode
        case .noAddress: .addressNeeded
        case .rateLimited: .tooMany(limit ?? .requests, retryAfterSeconds: retryAfterSeconds ?? Wait.limit)
        case .changePending: .changePending(retryAfterSeconds: retryAfterSeconds ?? Wait.change)
        case .lastAdministrator: .lastAdministrator
        case .passkeyInvalid: .passkeyInvalid
        case .passkeyExists: .passkeyExists
        case .tooManyPasskeys: .tooManyPasskeys
        case .noPasskey: .noSuchPasskey
        case .off: .notFound
        }
    }
}

extension ReauthenticateAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .authenticated: nil
        case .refused: .reauthenticationFailed
        case .rateLimited: .tooMany(.lockout, retryAfterSeconds: retryAfterSeconds ?? Wait.lockout)
        case .noPassword: .noPassword
        case .noRecipient: .unsupportedChannel
        case .unknownProvider: .invalid(member: "provider")
        }
    }
}

extension ExportAnswer: RefusableAnswer {
    var refusal: Refusal? {
        page == nil ? .tooMany(retryAfterSeconds: retryAfterSeconds ?? Wait.limit) : nil
    }
}

extension DeleteByProofAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .scheduled, .unknown: nil
        case .inactive: .accountInactive
        case .attestationRefused: .wrongCode
        }
    }
}

extension RefreshAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .rotated, .repeated: nil
        case .rateLimited: .tooMany(retryAfterSeconds: retryAfterSeconds ?? Wait.limit)
        case .inactive: .accountInactive
        case .reused, .revoked, .expired, .unknown, .malformed: .refreshTokenInvalid(result, reason)
        }
    }
}

extension PreviousSessionAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .proved: nil
        case .refused, .off: .refreshTokenInvalid(.unknown)
        case .rateLimited: .tooMany(retryAfterSeconds: retryAfterSeconds ?? Wait.limit)
        case .unavailable: .unavailable
        case .inactive: .accountInactive
        case .secondFactorRequired: .secondFactorRequired()
        }
    }
}

extension ClientTokenAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .done: nil
        case .invalidClient: .clientRefused
        case .rateLimited: .tooMany(retryAfterSeconds: retryAfterSeconds ?? Wait.limit)
        }
    }
}

extension ClientGrantAnswer: RefusableAnswer {
    var refusal: Refusal? {
        switch result {
        case .done: nil
        case .invalidClient: .clientRefused
        case .rateLimited: .tooMany(retryAfterSeconds: retryAfterSeconds ?? Wait.limit)
        }
    }
}
