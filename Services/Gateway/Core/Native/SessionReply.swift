internal import EdgeHTTP
internal import InternalAPI

/// The refusals of the session endpoints.
enum SessionReply {
    /// The same bytes for another's session and for one that never was.
    static let notFound = NativeReply.problem(404, "not_found", "There is no such session")

    static let invalidToken = NativeReply.unauthorized(code: "invalid_token", "The access token is not valid")

    private static let invalidRequest = NativeReply.invalidRequest("The request is not valid")

    static func refusal(_ refusal: BearerRefusal) -> Reply {
        switch refusal {
        case .invalidToken: invalidToken
        case .accountInactive: NativeReply.inactive()
        }
    }

    static func refusal(_ refusal: LogoutRefusal) -> Reply {
        switch refusal {
        case .invalidToken: invalidToken
        case .invalidRequest: invalidRequest
        }
    }

    static func refusal(_ refusal: EndOwnSessionRefusal) -> Reply {
        switch refusal {
        case .invalidToken: invalidToken
        case .accountInactive: NativeReply.inactive()
        case .notFound: notFound
        case .invalidRequest: invalidRequest
        }
    }
}
