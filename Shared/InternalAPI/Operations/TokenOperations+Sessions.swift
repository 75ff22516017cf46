package import AuthAPI

/// Operations that list and revoke sessions, for their owner or the operator.
extension TokenOperations {
    package static let ownSessions = InternalOperation<NoBody, SessionList, BearerRefusal>(
        .get, "/internal/sessions/own", from: [.gateway], onBehalfOfBearer: true)
    package static let ownAuthentication = InternalOperation<NoBody, SessionAuthentication, BearerRefusal>(
        .get, "/internal/sessions/own/authentication", from: [.user], onBehalfOfBearer: true)
    package static let noteAuthentication = InternalOperation<
        NoteAuthenticationRequest, Done, NoteAuthenticationRefusal
    >(
        .post, "/internal/sessions/own/authentication", from: [.gateway], onBehalfOfBearer: true)
    package static let endOwnSession = InternalOperation<EndOwnSessionRequest, Done, EndOwnSessionRefusal>(
        .post, "/internal/sessions/own/end", from: [.gateway], onBehalfOfBearer: true)
    package static let endOtherSessions = InternalOperation<NoBody, Done, BearerRefusal>(
        .post, "/internal/sessions/own/end-others", from: [.gateway], onBehalfOfBearer: true)
    package static let userSessions = InternalOperation<UserSessionsRequest, SessionList, InvalidRequestOnly>(
        .post, "/internal/control/sessions/list", from: [.control, .user], timeLimit: TimeLimit.ofOperators)
    package static let endSessions = InternalOperation<EndSessionsRequest, EndSessionsAnswer, InvalidRequestOnly>(
        .post, "/internal/control/sessions/end", from: [.control, .user], timeLimit: TimeLimit.ofOperators)
    package static let audit = InternalOperation<AuditRequest, AuditPage, InvalidRequestOnly>(
        .post, "/internal/control/audit/list", from: [.control, .user], timeLimit: TimeLimit.ofOperators)
    package static let auditTail = InternalOperation<AuditTailRequest, AuditTailPage, InvalidRequestOnly>(
        .post, "/internal/control/audit/tail", from: [.control], timeLimit: TimeLimit.ofOperators)
    /// Called by user-service, which shows the numbers to the operator.
    package static let sessionCounts = InternalOperation<SessionCountsRequest, SessionCounts, InvalidRequestOnly>(
        .post, "/internal/sessions/counts", from: [.user])
    package static let newestUse = InternalOperation<NewestUseRequest, NewestUse, InvalidRequestOnly>(
        .post, "/internal/sessions/newest-use", from: [.user])
    package static let export = InternalOperation<TokenExportRequest, TokenExportPart, InvalidRequestOnly>(
        .post, "/internal/users/export", from: [.user])
    package static let act = InternalOperation<ActRequest, ActingToken, IssueRefusal>(
        .post, "/internal/sessions/act", from: [.user])
    package static let liveSession = InternalOperation<LiveSessionRequest, LiveSession, InvalidRequestOnly>(
        .post, "/internal/sessions/live", from: [.user])
}

/// Operations on tokens for confidential clients (RFC 7009, RFC 7662).
extension TokenOperations {
    package static let introspect = InternalOperation<ClientTokenRequest, ClientTokenAnswer, InvalidRequestOnly>(
        .post, "/internal/oauth/introspect", from: [.gateway])
    package static let revokeByClient = InternalOperation<ClientTokenRequest, ClientTokenAnswer, InvalidRequestOnly>(
        .post, "/internal/oauth/revoke", from: [.gateway])
}

/// Why a request of the bearer of an access token is refused.
package enum BearerRefusal: String, BearersRefusal {
    case invalidToken = "invalid_token"
    /// The user is deactivated.
    case accountInactive = "account_inactive"
}

/// Why a request with a body of the bearer of an access token is refused.
package enum BearerBodyRefusal: String, RequestBodyRefusal, BearersRefusal {
    case invalidRequest = "invalid_request"
    case invalidToken = "invalid_token"
    /// The user is deactivated.
    case accountInactive = "account_inactive"
}

/// Why no authentication is noted in the bearer's session.
package enum NoteAuthenticationRefusal: String, RequestBodyRefusal, BearersRefusal {
    case invalidRequest = "invalid_request"
    case invalidToken = "invalid_token"
    case accountInactive = "account_inactive"
    /// The statement is forged, expired, or about another session.
    case attestationRefused = "attestation_refused"
}

/// Why none of the bearer's sessions is revoked.
package enum EndOwnSessionRefusal: String, RequestBodyRefusal, BearersRefusal {
    case invalidRequest = "invalid_request"
    case invalidToken = "invalid_token"
    case accountInactive = "account_inactive"
    /// The bearer has no such session.
    case notFound = "not_found"
}
