import EdgeHTTP
import InternalAPI
import Policies

/// Every reason for which the gateway does not do what a client asks; each dialect has an answer for each.
enum Refusal: Error, Sendable, Equatable {
    // What came does not fit.
    case invalidBody(BodyFault)
    /// A member whose value a service refuses, by the service's name for it.
    case invalid(member: String)
    /// A request that a service refuses and names no member of.
    case invalidMember
    /// What a profile cannot be given: another id or address.
    case notAssignable
    /// Not one `Idempotency-Key` of 1 to 128 visible ASCII characters.
    case malformedIdempotencyKey
    /// What says that it comes from a provider does not.
    case forgedWebhook
    /// A callback that is not signed as it should be, or of another account.
    case forgedCallback
    /// The key made the very refresh token that it comes with.
    case spentIdempotencyKey
    /// A refresh asks for rights or an audience of its own.
    case rightsAsked
    /// A sign-out without any token.
    case nothingToEnd

    // Numbers and codes.
    case invalidPhone
    case invalidEmail
    /// Mail to the address came back lately.
    case undeliverableEmail
    case blockedCountry
    /// The number's holder has answered STOP to the sender.
    case numberOptedOut
    /// Codes do not go out by the channel that was asked for.
    case unsupportedChannel
    case codeNotSent(retryAfterSeconds: Int64)
    /// Wrong, used or unknown: the same for all.
    case wrongCode
    /// The last code that was asked for is too old, whatever was presented; for the dialects that name it.
    case codeExpired

    // Identity tokens.
    /// The token breaks a rule. No client learns which one.
    case invalidIdentityToken
    /// The token was presented before: the app has its SDK get a fresh one.
    case identityTokenUsed

    // Accounts with a password.
    /// Too short, too common, too long, or the address itself.
    case weakPassword
    case registrationClosed
    /// Used, expired, unknown, or for something else: the same for all.
    case invalidLink
    /// A registration's, or that of whoever is signed in.
    case wrongPassword
    /// Whether the address or the password is wrong is nobody's to know.
    case invalidCredentials
    case noPassword
    /// The password, or a new sign-in, is needed.
    case reauthenticationRequired
    /// The new password holds; that sessions have ended is not confirmed yet.
    case changePending(retryAfterSeconds: Int64)

    // Who asks.
    case noAccessToken
    case accessTokenExpired
    case accessTokenInvalid
    /// The result is for dialects whose documents tell refused refresh tokens apart, the reason for our own clients.
    case refreshTokenInvalid(RefreshResult, RefusedRefreshReason? = nil)
    /// A refresh without any token, where it comes in a header.
    case noRefreshToken
    /// A confidential client that is unknown, or shows another secret.
    case clientRefused
    case accountInactive
    case deletionScheduled
    /// Only who was invited becomes a user.
    case notInvited
    /// The user lacks the role, or each of the roles, that the request needs.
    case roleMissing([String])

    // What is asked for.
    case noSuchSession
    case notFound
    case methodNotAllowed([String])

    /// Over plain HTTP, where that is not served.
    case httpsRequired

    // Limits.
    /// Of a number, an address or a session, at a service.
    case tooMany(retryAfterSeconds: Int64)
    /// Of codes that were presented for a number.
    case tooManyGuesses(retryAfterSeconds: Int64)
    /// The edge's own.
    case tooManyRequests(RateLimit, retryAfterSeconds: Int64)

    // What is not the client's fault.
    /// A dependency failed: never 401, which would sign the phone out.
    case unavailable
    case upstream(UpstreamFailure)

    /// A compressed body.
    case encodedBody
    /// A message that breaks HTTP's rules.
    case violation(HTTPViolation)
}

/// What is wrong with a body; names the member, never its value.
enum BodyFault: Sendable, Equatable {
    case notJSON
    /// The value of a member is not valid JSON.
    case brokenMember(String)
    case notAnObject
    case missing(member: String)
    case wrongType(member: String)
    case unfit
}
