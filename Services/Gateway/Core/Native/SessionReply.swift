internal import InternalAPI

/// The refusals of the session endpoints.
enum SessionReply {
    /// The same bytes for another's session and for one that never was.
    static let notFound = NativeReply.problem(404, "not_found", "There is no such session")

    static func refusal(_ code: String) -> Reply {
        switch code {
        case InternalCode.invalidToken:
            NativeReply.unauthorized(code: "invalid_token", "The access token is not valid")
        case InternalCode.accountInactive: NativeReply.inactive()
        case InternalCode.notFound: notFound
        default: NativeReply.invalidRequest("The request is not valid")
        }
    }
}
