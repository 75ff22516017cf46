import EdgeHTTP
import InternalAPI
import Policies

/// Every reason for which the gateway refuses a client's request. Each dialect has a response for each.
enum Refusal: Error, Sendable, Equatable {
    // The request is invalid.
    case invalidBody(BodyFault)
    /// A member whose value a service refuses, under the service's name for it.
    case invalid(member: String)
    /// A request that a service refuses without stating a member.
    case invalidMember
    /// A value that a profile cannot get: another id or email address.
    case notAssignable
    /// The request has not exactly one `Idempotency-Key` of 1 to 128 visible ASCII characters.
    case malformedIdempotencyKey
    /// A webhook that does not come from the provider that it states.
    case forgedWebhook
    /// A callback with an invalid signature, or of another account.
    case forgedCallback
    /// The key belongs to the request that issued this very refresh token.
    case usedIdempotencyKey
    /// A refresh requests rights or an audience of its own.
    case rightsAsked
    /// A sign-out without any token.
    case nothingToEnd

    // Phone numbers, email addresses and codes.
    case invalidPhone
    case invalidEmail
    /// Mail to the email address bounced recently.
    case undeliverableEmail
    case blockedCountry
    /// The holder of the phone number has answered STOP to the sender.
    case numberOptedOut
    /// The policy does not send codes by the requested channel.
    case unsupportedChannel
    case codeNotSent(retryAfterSeconds: Int64)
    /// The code is wrong, used or unknown; the response is the same for all.
    case wrongCode
    /// The last code that was requested is too old, whatever was presented; for the dialects that distinguish it.
    case codeExpired

    // Identity tokens.
    /// The token breaks a rule. No client learns which one.
    case invalidIdentityToken
    /// The token was presented before. The app has its SDK get a fresh one.
    case identityTokenUsed
    // Second factors.
    /// The proof is one factor of a user who needs two. The token and the factors that the user has, by name.
    case secondFactorRequired(mfaToken: String? = nil, methods: [String] = [])
    /// The factor is wrong or was used, or the token of the sign-in is not valid any more.
    case secondFactorRefused
    case tooManyAttempts(retryAfterSeconds: Int64)
    /// TOTP is on already.
    case secondFactorExists
    case noSecondFactor
    case recoveryCodesNeeded

    // Passkeys.
    /// The passkey opens no session. No client learns why.
    case passkeyRefused
    /// The registration of a passkey breaks a rule. The audit has the reason.
    case passkeyInvalid
    /// A user has the credential.
    case passkeyExists
    case tooManyPasskeys
    case noSuchPasskey

    /// A provider's answer to a sign-in in a browser that did not begin here, is too old, or came before.
    case invalidSignIn

    // Accounts with a password.
    /// The password is too short, too common, too long, or the email address itself.
    case weakPassword
    case registrationClosed
    /// The link is used, expired, unknown, or for something else; the response is the same for all.
    case invalidLink
    /// The password of a registration, or of the signed-in user, is wrong.
    case wrongPassword
    /// The email address or the password is wrong; the response does not reveal which.
    case invalidCredentials
    case noPassword

    // The user's identities.
    /// Another user has the identity. The token merges that user's account into this one, if that is possible.
    case identityInUse(mergeToken: String? = nil)
    /// The merge token is invalid, expired or another session's, or one of the accounts has changed since.
    case mergeRefused
    /// Something more of the other account has to be verified: one of `methods`.
    case mergeProofRequired(methods: [String])
    /// Without it the user could not sign in any more.
    case lastIdentity
    case noSuchIdentity
    /// The user's identities changed while the request was under way.
    case identityChanged
    /// A password needs a verified email address.
    case addressNeeded
    /// A member of the profile that another endpoint changes.
    case changedElsewhere(member: String, path: String)
    /// The password, or a recent proof of the user, is needed.
    case reauthenticationRequired
    /// A proof of the signed-in user is wrong, used, too old, or another person's; the response is the same for all.
    case reauthenticationFailed
    /// The new password is set. The end of the old sessions is not confirmed yet.
    case changePending(retryAfterSeconds: Int64)

    // The client and the user.
    case noAccessToken
    case accessTokenExpired
    case accessTokenInvalid
    /// The session of the access token has ended; for the dialects that distinguish it.
    case sessionRevoked
    /// The user has shown too little for the request, or too long ago (RFC 9470).
    case authenticationTooWeak(RequiredAuthentication)
    /// The result is for dialects whose documents distinguish refused refresh tokens, the reason for our own clients.
    case refreshTokenInvalid(RefreshResult, RefusedRefreshReason? = nil)
    /// A refresh without any token, for dialects that send it in a header.
    case noRefreshToken
    /// A confidential client that is unknown, or presents a wrong secret.
    case clientRefused
    case accountInactive
    /// The identity or the password was changed since the event for which the account is under review.
    case accountUnderReview
    /// The account is scheduled for deletion. The token cancels that, if the person may and wants to.
    case deletionScheduled(restoreToken: String? = nil)
    /// Only invited people become users.
    case notInvited
    /// An account gets the phone number later, at the Unix time in seconds.
    case phoneChangePending(movesAt: Int64?)
    /// The user of the phone number was away for long. The account's other ways to sign in, by name.
    case secondIdentityRequired(methods: [String])
    /// The user lacks the role, or each of the roles, that the request needs.
    case roleMissing([String])

    // The administrators' requests.
    case noSuchUser
    /// The user was changed since the administrator read them.
    case versionMismatch
    /// Without the user there would be no administrator.
    case lastAdministrator
    /// The removal of the user is due, so that it is not cancelled any more.
    case removalDue
    /// The invited person has an account.
    case alreadyUser
    /// The maximum number of review accesses is open.
    case reviewAccessesOpen

    // The resource.
    case noSuchSession
    case notFound
    case methodNotAllowed([String])

    /// A request over plain HTTP, which is not served there.
    case httpsRequired
    /// A request that another page made with a page's cookies.
    case crossSite
    /// A request with one of a page's cookies more than once.
    case ambiguousCookie

    // Limits.
    /// A service's limit of a phone number, an email address or a session.
    case tooMany(LimitKind = .requests, retryAfterSeconds: Int64)
    /// The limit of codes that were presented for a phone number.
    case tooManyGuesses(LimitKind = .lockout, retryAfterSeconds: Int64)
    /// The edge's own limit.
    case tooManyRequests(RateLimit, retryAfterSeconds: Int64)

    // Failures that are not the client's fault.
    /// A dependency failed: never 401, which would sign the phone out.
    case unavailable
    case upstream(UpstreamFailure)

    /// A body with a content coding, such as a compressed one.
    case encodedBody
    /// A message that breaks HTTP's rules.
    case violation(HTTPViolation)
}

extension Refusal {
    init(_ fault: PageRequest.Fault) { self = fault == .crossSite ? .crossSite : .ambiguousCookie }
}

/// A fault of a body; states the member, never its value.
enum BodyFault: Sendable, Equatable {
    case notJSON
    /// The value of a member is not valid JSON.
    case brokenMember(String)
    case notAnObject
    case missing(member: String)
    case wrongType(member: String)
    case unfit
}
