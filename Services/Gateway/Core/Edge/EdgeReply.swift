internal import EdgeHTTP
internal import Policies

/// The answers of the edge itself.
enum EdgeReply {
    /// The answer to a request that may not go on.
    static func refusal(_ decision: EdgeDecision) -> Reply {
        switch decision {
        case .unauthorized(.missing):
            NativeReply.unauthorized(code: "missing_token", "An access token is needed")
        case .unauthorized(.expired):
            NativeReply.unauthorized(code: "token_expired", "The access token has expired")
        case .unauthorized:
            NativeReply.unauthorized(code: "invalid_token", "The access token is not valid")
        case .forbidden(.revoked): NativeReply.inactive()
        case .forbidden: NativeReply.problem(403, "forbidden", "The account may not do this")
        case .unavailable, .allow: NativeReply.unavailable()
        }
    }

    /// 429 with when another request fits (RFC 6585 section 4, draft-ietf-httpapi-ratelimit-headers).
    static func limited(_ rate: RateLimit, retryAfterSeconds: Int64) -> Reply {
        NativeReply.problem(
            429, "rate_limited", "Too many requests", retryAfterSeconds: retryAfterSeconds,
            headers: [
                ("RateLimit-Policy", "\"edge\";q=\(rate.max);w=\(rate.windowSeconds)"),
                ("RateLimit", "\"edge\";r=0;t=\(retryAfterSeconds)"),
            ])
    }

    /// 405 with the methods that are allowed (RFC 9110 section 15.5.6).
    static func methodNotAllowed(_ allowed: [String]) -> Reply {
        NativeReply.problem(
            405, "method_not_allowed", "The method is not allowed here",
            headers: [("Allow", allowed.joined(separator: ", "))])
    }

    /// The answer to a message that breaks HTTP's rules; the connection ends with it.
    static func refusal(_ violation: HTTPViolation) -> Reply {
        var reply = NativeReply.problem(violation.status, code(violation), title(violation))
        if violation == .forbiddenMethod {
            reply.headers.append(("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"))
        }
        reply.closes = true
        return reply
    }

    private static func title(_ violation: HTTPViolation) -> String {
        switch violation {
        case .bodyTooLarge: "The body is too large"
        case .headerTooLarge, .tooManyHeaders: "The head of the request is too large"
        case .headerTimeout, .bodyTimeout: "The request took too long to arrive"
        default: "The request is not valid HTTP"
        }
    }

    private static func code(_ violation: HTTPViolation) -> String {
        switch violation {
        case .bodyTooLarge: "body_too_large"
        case .headerTooLarge, .tooManyHeaders: "header_too_large"
        case .headerTimeout, .bodyTimeout: "request_timeout"
        case .unknownMethod, .forbiddenMethod: "method_not_allowed"
        default: "malformed_request"
        }
    }

    /// Lines that every answer bears.
    static func lines(hstsSeconds: Int64) -> [UInt8] {
        hstsSeconds > 0 ? Array("Strict-Transport-Security: max-age=\(hstsSeconds)\r\n".utf8) : []
    }

    /// The answer when the app's API gave none (RFC 9110 sections 15.6.3 to 15.6.5).
    static func upstreamFailure(_ failure: UpstreamFailure) -> Reply {
        switch failure {
        case .timeout: NativeReply.problem(504, "upstream_timeout", "The upstream did not answer in time")
        case .overloaded, .unreachable, .cancelled: NativeReply.unavailable()
        case .closedBeforeAnswer, .brokenAnswer, .malformedAnswer, .refusedAnswer:
            NativeReply.problem(502, "bad_gateway", "The upstream gave no valid answer")
        }
    }
}
