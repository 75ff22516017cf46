import AuthAPI
import EdgeHTTP

/// An error of OAuth's endpoints (RFC 6749 section 5.2).
enum OAuthError: Error, Equatable {
    case invalidRequest(String)
    case invalidClient
    case unsupportedGrantType
    case invalidScope
    case rateLimited(retryAfterSeconds: Int64)
    case unavailable

    var reply: Reply {
        switch self {
        case .invalidRequest(let description): Self.reply(400, "invalid_request", description)
        case .invalidClient:
            Self.reply(401, "invalid_client", headers: [("WWW-Authenticate", "Basic realm=\"oauth\"")])
        case .unsupportedGrantType: Self.reply(400, "unsupported_grant_type", "Only client_credentials is supported")
        case .invalidScope: Self.reply(400, "invalid_scope", "There are no scopes: the client's role decides")
        case .rateLimited(let seconds): Self.reply(429, "rate_limited", headers: [("Retry-After", "\(seconds)")])
        case .unavailable: Self.reply(503, "temporarily_unavailable", headers: [("Retry-After", "1")])
        }
    }

    private static func reply(
        _ status: Int, _ code: String, _ description: String? = nil, headers: [(String, String)] = []
    ) -> Reply {
        .json(OAuthErrorReply(error: code, errorDescription: description), status: status, headers: headers)
    }
}
