import EdgeHTTP

/// The words of dialects for a message that breaks HTTP's rules.
extension HTTPViolation {
    /// A word for clients to branch on.
    var code: String {
        switch self {
        case .bodyTooLarge: "body_too_large"
        case .headerTooLarge, .tooManyHeaders: "header_too_large"
        case .headerTimeout, .bodyTimeout: "request_timeout"
        case .unknownMethod, .forbiddenMethod: "method_not_allowed"
        case .tlsRequired: "https_required"
        case .misdirected: "misdirected_request"
        default: "malformed_request"
        }
    }

    /// A sentence for people.
    var title: String {
        switch self {
        case .bodyTooLarge: "The body is too large"
        case .headerTooLarge, .tooManyHeaders: "The head of the request is too large"
        case .headerTimeout, .bodyTimeout: "The request took too long to arrive"
        case .tlsRequired: "This port is for https"
        case .misdirected: "This connection is not for the host of the request"
        case .webSocketRequired, .webSocketVersion: "This path opens WebSockets of version 13 only"
        default: "The request is not valid HTTP"
        }
    }
}
