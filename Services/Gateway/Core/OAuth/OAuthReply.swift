internal import AuthAPI
internal import EdgeHTTP

/// Answers of the `/oauth` endpoints; errors in the shape of RFC 6749 section 5.2.
enum OAuthReply {
    static func invalidRequest(_ description: String) -> Reply { error(400, "invalid_request", description) }

    static let invalidClient = error(
        401, "invalid_client", nil, headers: [("WWW-Authenticate", "Basic realm=\"oauth\"")])

    static func rateLimited(retryAfterSeconds: Int64) -> Reply {
        error(429, "rate_limited", nil, headers: [("Retry-After", "\(retryAfterSeconds)")])
    }

    /// Nothing is known of the token, or nothing was done: never 200 (RFC 7009 section 2.2.1).
    static let unavailable = error(503, "temporarily_unavailable", nil, headers: [("Retry-After", "1")])

    /// Done; the body says nothing (RFC 7009 section 2.2).
    static let revoked = Reply(status: 200, headers: [("Cache-Control", "no-store")], body: [])

    private static func error(
        _ status: Int, _ code: String, _ description: String?, headers: [(String, String)] = []
    ) -> Reply {
        NativeReply.json(
            OAuthErrorReply(error: code, errorDescription: description), status: status,
            mediaType: "application/json", headers: headers)
    }
}
