internal import AuthAPI
internal import EdgeHTTP
internal import Policies

/// Refusals: as howru prints them where its document does, problem details (RFC 9457) elsewhere.
extension NativeDialect {
    func reply(to refusal: Refusal) -> Reply {
        switch refusal {
        case .invalidBody(let fault): Self.invalidRequest(Self.title(of: fault))
        case .invalidMember: Self.invalidRequest("A member is not valid")
        case .malformedIdempotencyKey:
            Self.invalidRequest("The Idempotency-Key must be one header of 1 to 128 visible ASCII characters")
        case .spentIdempotencyKey:
            Self.invalidRequest(
                "The Idempotency-Key made this very token; make a new one for each refresh, and keep it for its repeats"
            )
        case .rightsAsked: Self.invalidRequest("Rights and audience of a session cannot be changed")
        case .nothingToEnd: Self.invalidRequest("A refreshToken or a bearer token is needed")
        case .invalidPhone: Self.problem(400, "invalid_phone", "The phone number is not valid")
        case .blockedCountry: Self.problem(422, "blocked_country", "Codes are not sent to this country")
        case .codeNotSent(let seconds):
            Self.problem(503, "provider_error", "The code could not be sent, try again", retryAfterSeconds: seconds)
        case .wrongCode: Self.wrongCode
        case .noAccessToken, .accessTokenExpired, .accessTokenInvalid, .refreshTokenInvalid, .clientRefused:
            Self.unauthorized(refusal)
        case .accountInactive: Self.problem(403, "account_inactive", "The account is not active")
        case .deletionScheduled: Self.problem(409, "deletion_scheduled", "The account waits for its deletion")
        case .roleMissing: Self.problem(403, "forbidden", "The account may not do this")
        case .noSuchSession: Self.problem(404, "not_found", "There is no such session")
        case .notFound: Self.problem(404, "not_found", "There is nothing here")
        case .methodNotAllowed(let allowed): Self.methodNotAllowed(allowed)
        case .tooMany(let seconds): Self.rateLimited(retryAfterSeconds: seconds)
        case .tooManyRequests(let rate, let seconds): Self.tooManyRequests(rate, retryAfterSeconds: seconds)
        case .unavailable: Self.unavailable
        case .upstream(let failure): Self.reply(to: failure)
        case .violation(let violation): Self.reply(to: violation)
        }
    }

    private static func title(of fault: BodyFault) -> String {
        switch fault {
        case .notJSON: "The body is not valid JSON"
        case .notAnObject: "The body must be a JSON object"
        case .missing(let member): "The member '\(member)' is missing"
        case .wrongType(let member): "The member '\(member)' has the wrong type"
        case .unfit: "The body does not fit"
        }
    }

    /// 401 (RFC 6750 section 3.1: no error code when no credentials came).
    private static func unauthorized(_ refusal: Refusal) -> Reply {
        let (code, title, challenge) =
            switch refusal {
            case .noAccessToken: ("missing_token", "An access token is needed", "Bearer")
            case .accessTokenExpired: ("token_expired", "The access token has expired", invalidToken)
            // Why stays in the audit: whoever holds a stolen one learns nothing.
            case .refreshTokenInvalid:
                ("invalid_refresh_token", "The refresh token is not valid, sign in again", invalidToken)
            case .clientRefused: ("invalid_client", "The client is not known", "Basic realm=\"oauth\"")
            default: ("invalid_token", "The access token is not valid", invalidToken)
            }
        return problem(401, code, title, headers: [("WWW-Authenticate", challenge)])
    }

    private static let invalidToken = "Bearer error=\"invalid_token\""

    /// 401 as howru prints it.
    private static var wrongCode: Reply {
        struct Body: Encodable {
            let success = false
            let error = "Invalid or expired verification code"
        }
        return .json(Body(), status: 401)
    }

    /// 429 as howru prints it.
    private static func rateLimited(retryAfterSeconds: Int64) -> Reply {
        struct Body: Encodable {
            let error = "rate_limited"
            let retryAfter: Int64
        }
        return .json(
            Body(retryAfter: retryAfterSeconds), status: 429, headers: [("Retry-After", "\(retryAfterSeconds)")])
    }

    /// 429 with when another request fits (RFC 6585 section 4, draft-ietf-httpapi-ratelimit-headers).
    private static func tooManyRequests(_ rate: RateLimit, retryAfterSeconds: Int64) -> Reply {
        problem(
            429, "rate_limited", "Too many requests", retryAfterSeconds: retryAfterSeconds,
            headers: [
                ("RateLimit-Policy", "\"edge\";q=\(rate.max);w=\(rate.windowSeconds)"),
                ("RateLimit", "\"edge\";r=0;t=\(retryAfterSeconds)"),
            ])
    }

    /// 405 with the methods that are allowed (RFC 9110 section 15.5.6).
    private static func methodNotAllowed(_ allowed: [String]) -> Reply {
        problem(
            405, "method_not_allowed", "The method is not allowed here",
            headers: [("Allow", allowed.joined(separator: ", "))])
    }

    private static func invalidRequest(_ title: String) -> Reply { problem(400, "invalid_request", title) }

    private static var unavailable: Reply {
        problem(503, "unavailable", "The service is unavailable, try again", retryAfterSeconds: 1)
    }

    /// The answer when the app's API gave none (RFC 9110 sections 15.6.3 to 15.6.5).
    private static func reply(to failure: UpstreamFailure) -> Reply {
        switch failure {
        case .timeout: problem(504, "upstream_timeout", "The upstream did not answer in time")
        case .overloaded, .unreachable, .cancelled: unavailable
        case .closedBeforeAnswer, .brokenAnswer, .malformedAnswer, .refusedAnswer:
            problem(502, "bad_gateway", "The upstream gave no valid answer")
        }
    }

    private static func reply(to violation: HTTPViolation) -> Reply {
        problem(violation.status, violation.code, violation.title)
    }

    private static func problem(
        _ status: Int, _ code: String, _ title: String, retryAfterSeconds: Int64? = nil,
        headers: [(String, String)] = []
    ) -> Reply {
        let retry = retryAfterSeconds.map { [("Retry-After", "\($0)")] } ?? []
        return .json(
            Problem(status: status, code: code, title: title, retryAfter: retryAfterSeconds), status: status,
            mediaType: Problem.mediaType, headers: headers + retry)
    }
}
