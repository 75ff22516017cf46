import AuthAPI
import InternalAPI
import Policies

extension RefusalWords {
    /// Creates a 429 with the kind of its limit.
    static func rateLimited(
        _ title: String, _ limit: LimitKind, retryAfterSeconds: Int64, headers: [(String, String)] = []
    ) -> Self {
        var words = Self(429, "rate_limited", title, retryAfterSeconds: retryAfterSeconds, headers: headers)
        words.limit = limit
        return words
    }

    /// Creates a 429 with the time at which another request fits (RFC 6585 section 4, draft-ietf-httpapi-ratelimit-headers).
    static func tooManyRequests(_ rate: RateLimit, retryAfterSeconds: Int64) -> Self {
        rateLimited(
            "Too many requests", .requests, retryAfterSeconds: retryAfterSeconds,
            headers: [
                ("RateLimit-Policy", "\"edge\";q=\(rate.max);w=\(rate.windowSeconds)"),
                ("RateLimit", "\"edge\";r=0;t=\(retryAfterSeconds)"),
            ])
    }

    /// Creates a 405 with the methods that are allowed (RFC 9110 section 15.5.6).
    static func methodNotAllowed(_ allowed: [String]) -> Self {
        Self(
            405, "method_not_allowed", "The method is not allowed here",
            headers: [("Allow", allowed.joined(separator: ", "))])
    }
}
