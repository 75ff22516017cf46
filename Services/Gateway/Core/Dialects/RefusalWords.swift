import EdgeHTTP
import InternalAPI
import Policies

/// Latchkey's own words for a refusal, for dialects whose document has none: a status, a code to branch on and a sentence.
struct RefusalWords: Sendable {
    let status: Int
    let code: String
    let title: String
    /// The reason, if the code covers several.
    var detail: String?
    var retryAfterSeconds: Int64?
    /// A stable word that is more exact than the code, or `nil`.
    var reason: String?
    /// The kind of limit that refused; only in a 429.
    var limit: LimitKind?
    /// The token that merges the other account; only with `identity_in_use`.
    var mergeToken: String?
    /// The token that cancels the deletion of the account; only with `deletion_scheduled`.
    var restoreToken: String?
    /// The token that completes a sign-in by the second factor; only with `second_factor_required`.
    var mfaToken: String?
    /// The Unix time in seconds at which an account gets the phone number.
    var movesAt: Int64?
    /// Other proofs or ways to sign in, by name.
    var methods: [String]?
    /// The headers besides `Retry-After`.
    var headers: [(String, String)] = []

    init(
        _ status: Int, _ code: String, _ title: String, detail: String? = nil, retryAfterSeconds: Int64? = nil,
        headers: [(String, String)] = []
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.retryAfterSeconds = retryAfterSeconds
        self.headers = headers
    }

    /// All headers of the response, with `Retry-After`.
    var allHeaders: [(String, String)] { headers + (retryAfterSeconds.map { [("Retry-After", "\($0)")] } ?? []) }
}

extension RefusalWords {
    /// The names that clients have for members of services' requests.
    private static let publicNames = ["region": "countryCode", "phone": "phoneNumber"]

    /// - Parameter names: a dialect's own names of members, by the names that services have for them.
    init(_ refusal: Refusal, names: [String: String] = [:]) {
        self =
            switch refusal {
            case .invalidBody(let fault): Self.invalidRequest(Self.title(of: fault))
            case .invalid(let member):
                Self.invalidRequest("The member '\(names[member] ?? Self.publicNames[member] ?? member)' is not valid")
            case .invalidMember: Self.invalidRequest("A member is not valid")
            case .notAssignable: Self(400, "not_assignable", "The id and the email address cannot be changed here")
            case .malformedIdempotencyKey:
                Self.invalidRequest("The Idempotency-Key must be one header of 1 to 128 visible ASCII characters")
            case .usedIdempotencyKey:
                Self.invalidRequest(
                    "This Idempotency-Key already created this token. Use a new key for each refresh, and the same key only for "
                        + "repeats")
            case .rightsAsked: Self.invalidRequest("Rights and audience of a session cannot be changed")
            case .nothingToEnd: Self.invalidRequest("A refreshToken or a bearer token is needed")
            case .invalidPhone: Self(400, "invalid_phone", "The phone number is not valid")
            case .invalidEmail: Self(400, "invalid_email", "The email address is not valid")
            case .undeliverableEmail:
                Self(
                    422, "undeliverable_email",
                    "Email to this address was returned as undeliverable, so none is sent there for now")
            case .forgedWebhook: Self.invalidRequest("The webhook is not signed by its provider, or too old")
            case .forgedCallback: Self(403, "forbidden", "The callback is not signed by its provider")
            case .unsupportedChannel: Self(400, "unsupported_channel", "Codes cannot be sent by this channel")
            case .blockedCountry: Self(422, "blocked_country", "Phone numbers of this country are not accepted")
            case .numberOptedOut:
                Self(
                    422, "number_opted_out",
                    "This number has replied STOP to the sender. A reply of START allows messages again")
            case .codeNotSent(let seconds):
                Self(503, "provider_error", "The code could not be sent. Try again", retryAfterSeconds: seconds)
            case .wrongCode: Self(401, "invalid_code", "The code is wrong or was already used")
            case .codeExpired: Self(401, "code_expired", "The code has expired. Request a new one")
            case .noAccessToken, .accessTokenExpired, .accessTokenInvalid, .sessionRevoked, .noRefreshToken,
                .clientRefused, .invalidCredentials, .invalidIdentityToken, .identityTokenUsed:
                Self.unauthorized(refusal)
            case .authenticationTooWeak(let needed): Self.authenticationTooWeak(needed)
            case .invalidSignIn:
                Self(
                    400, "invalid_sign_in",
                    "This sign-in has expired or was already used. Go back to the app and begin again")
            case .refreshTokenInvalid(_, let reason): Self.invalidRefreshToken(reason)
            case .weakPassword: Self(400, "weak_password", "The password is too short, too long or too common")
            case .registrationClosed: Self(403, "registration_closed", "Registration is closed")
            case .invalidLink: Self(400, "invalid_link", "The link is not valid, has expired or was already used")
            case .wrongPassword: Self(400, "wrong_password", "The password is wrong")
            case .noPassword: Self(409, "no_password", "The account has no password")
            case .identityInUse(let token): Self.identityInUse(mergeToken: token)
            case .mergeRefused:
                Self(
                    409, "merge_refused",
                    "The accounts cannot be merged with this token any more. Verify the identity again")
            case .mergeProofRequired(let methods): Self.mergeProofRequired(methods)
            case .lastIdentity:
                Self(409, "last_identity", "The account could not sign in any more. Add something else first")
            case .noSuchIdentity: Self(404, "not_found", "The account has no such identity")
            case .identityChanged:
                Self(409, "identity_changed", "The account was changed at the same time. Read it and try again")
            case .addressNeeded:
                Self(409, "email_required", "A password needs a verified email address. Add one first")
            case .changedElsewhere(let member, let path):
                Self(400, "changed_elsewhere", "The member '\(member)' is changed by POST \(path)")
            case .reauthenticationRequired:
                Self(
                    403, "reauthentication_required",
                    "The user has to show again who they are: POST /auth/reauthenticate, or send the password")
            case .reauthenticationFailed:
                Self(403, "reauthentication_failed", "The proof is wrong, used, too old, or another person's")
            case .changePending(let seconds):
                Self(
                    503, "change_pending", "The change is made; earlier sessions are still being ended",
                    retryAfterSeconds: seconds)
            case .accountInactive: Self(403, "account_inactive", "The account is not active")
            case .accountUnderReview:
                Self(
                    403, "account_under_review",
                    "The account is under review, and this way to sign in was changed since")
            case .deletionScheduled(let token): Self.deletionScheduled(restoreToken: token)
            case .notInvited: Self(403, "not_invited", "Only invited people can have an account here")
            case .phoneChangePending(let movesAt): Self.phoneChangePending(movesAt)
            case .secondIdentityRequired(let methods): Self.secondIdentityRequired(methods)
            case .secondFactorRequired, .secondFactorRefused, .tooManyAttempts, .secondFactorExists, .noSecondFactor,
                .recoveryCodesNeeded:
                Self.secondFactor(refusal)
            case .roleMissing: Self(403, "forbidden", "The account may not do this")
            case .passkeyRefused, .passkeyInvalid, .passkeyExists, .tooManyPasskeys, .noSuchPasskey:
                Self.passkey(refusal)
            case .noSuchUser, .versionMismatch, .lastAdministrator, .removalDue, .alreadyUser, .reviewAccessesOpen:
                Self.administration(refusal)
            case .noSuchSession: Self(404, "not_found", "There is no such session")
            case .notFound: Self(404, "not_found", "There is no such path")
            case .methodNotAllowed(let allowed): Self.methodNotAllowed(allowed)
            case .httpsRequired: Self(403, "https_required", "This server accepts https only")
            case .crossSite:
                Self(403, "cross_site", "A page of another origin may not use the cookies of this one")
            case .ambiguousCookie: Self(400, "ambiguous_cookie", "A cookie of the session was sent more than once")
            case .tooMany(let limit, let seconds):
                Self.rateLimited("Too many requests", limit, retryAfterSeconds: seconds)
            case .tooManyGuesses(let limit, let seconds):
                Self.rateLimited("Too many codes were tried", limit, retryAfterSeconds: seconds)
            case .tooManyRequests(let rate, let seconds): Self.tooManyRequests(rate, retryAfterSeconds: seconds)
            case .unavailable: Self.unavailable
            case .upstream(let failure): Self(failure)
            case .violation(let violation):
                Self(violation.status, violation.code, violation.title, detail: violation.reason)
            case .encodedBody:
                // RFC 9110 section 12.5.3: the codings that the server would accept.
                Self(
                    415, "unsupported_media_type", "The body must be sent without a content coding",
                    headers: [("Accept-Encoding", "identity")])
            }
    }

    /// Creates the words for a failure of the app's API (RFC 9110 sections 15.6.3 to 15.6.5).
    private init(_ failure: UpstreamFailure) {
        self =
            switch failure {
            case .timeout: Self(504, "upstream_timeout", "The upstream did not respond in time")
            case .overloaded, .unreachable, .cancelled: Self.unavailable
            case .closedBeforeAnswer, .brokenAnswer, .malformedAnswer, .refusedAnswer:
                Self(502, "bad_gateway", "The upstream sent no valid response")
            }
    }

    private static func invalidRequest(_ title: String) -> Self { Self(400, "invalid_request", title) }

    private static func title(of fault: BodyFault) -> String {
        switch fault {
        case .notJSON: "The body is not valid JSON"
        case .brokenMember(let member): "The body is not valid JSON at the member '\(member)'"
        case .notAnObject: "The body must be a JSON object"
        case .missing(let member): "The member '\(member)' is missing"
        case .wrongType(let member): "The member '\(member)' has the wrong type"
        case .unfit: "The body does not have the expected fields"
        }
    }

    /// Creates a 401 (RFC 6750 section 3.1: without an error code if the request had no credentials).
    private static func unauthorized(_ refusal: Refusal) -> Self {
        let (code, title, challenge) =
            switch refusal {
            case .noAccessToken: ("missing_token", "An access token is needed", "Bearer")
            case .noRefreshToken: ("missing_token", "A refresh token is needed", "Bearer")
            case .accessTokenExpired: ("token_expired", "The access token has expired", invalidToken)
            case .invalidCredentials: ("invalid_credentials", "The address or the password is wrong", "Bearer")
            case .invalidIdentityToken:
                ("invalid_identity_token", "The identity token is not valid", "Bearer")
            case .identityTokenUsed:
                ("identity_token_used", "The identity token was already used. Get a new one", "Bearer")
            case .clientRefused: ("invalid_client", "The client is not known", "Basic realm=\"oauth\"")
            default: ("invalid_token", "The access token is not valid", invalidToken)
            }
        return Self(401, code, title, headers: [("WWW-Authenticate", challenge)])
    }

    /// Creates a 401 that asks for a stronger or more recent authentication (RFC 9470 section 3).
    private static func authenticationTooWeak(_ needed: RequiredAuthentication) -> Self {
        let proof =
            switch (needed.method, needed.level) {
            case (.pop, _): "show a passkey"
            case (nil, .aal2): "show a second factor"
            case (nil, nil): "show again who they are"
            }
        return Self(
            401, "insufficient_user_authentication",
            "The user has to \(proof): POST /auth/reauthenticate, then refresh",
            headers: [("WWW-Authenticate", needed.challenge)])
    }

    /// Creates a 401 with the reason, which only a client that was issued the token learns.
    private static func invalidRefreshToken(_ reason: RefusedRefreshReason?) -> Self {
        var words = Self(
            401, "invalid_refresh_token", "The refresh token is not valid, sign in again",
            headers: [("WWW-Authenticate", invalidToken)])
        words.reason = reason?.rawValue
        return words
    }

    private static let invalidToken = "Bearer error=\"invalid_token\""

    private static let unavailable = Self(
        503, "unavailable", "The service is unavailable, try again", retryAfterSeconds: 1)
}
