package import AccessTokens

/// Operations of token-service for other processes.
package enum TokenOperations {
    package static let issue = InternalOperation<IssueRequest, TokenSet, IssueRefusal>(
        .post, "/internal/sessions", from: [.gateway])
    package static let refresh = InternalOperation<RefreshRequest, RefreshAnswer, RefreshRefusal>(
        .post, "/internal/refresh", from: [.gateway])
    /// Returns the tokens of the session that a token of the old server has opened, or `unknown` if it has opened none.
    package static let repeatPrevious = InternalOperation<PreviousRepeatRequest, RefreshAnswer, InvalidRequestOnly>(
        .post, "/internal/previous", from: [.gateway])
    package static let logout = InternalOperation<LogoutRequest, Done, LogoutRefusal>(
        .post, "/internal/logout", from: [.gateway])
    package static let revokeUser = InternalOperation<RevokeUserRequest, Done, InvalidRequestOnly>(
        .post, "/internal/users/revoke", from: [.user])
    package static let changeRights = InternalOperation<ChangeRightsRequest, Done, InvalidRequestOnly>(
        .post, "/internal/users/rights", from: [.user])
    package static let removeUser = InternalOperation<RemoveUserRequest, Done, InvalidRequestOnly>(
        .post, "/internal/users/remove", from: [.user])
    /// The keys that verify access tokens.
    package static let keySet = InternalOperation<NoBody, JSONWebKeySet, NoRefusal>(
        .get, "/internal/jwks", from: [.gateway, .user])
}

/// Why a grant opens no session.
package enum IssueRefusal: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
    /// The grant is forged, expired or used.
    case grantRefused = "grant_refused"
    /// The grant's epoch is below the user's: call `resolve` again.
    case grantStale = "epoch_stale"
}

/// Why a refresh request is refused as a whole; the outcome for a token is a `RefreshResult`.
package enum RefreshRefusal: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
    /// The `Idempotency-Key` created the very token that it comes with.
    case idempotencyKeyUsed = "idempotency_key_spent"
}

/// Why no session is signed out.
package enum LogoutRefusal: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
    /// Neither token may revoke other sessions.
    case invalidToken = "invalid_token"
}
