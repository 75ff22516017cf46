internal import AuthAPI
internal import EdgeHTTP
internal import InternalAPI

/// `POST /auth/logout`: ends the session of the refresh token, of the bearer, or of both; or the holder's other sessions, or
/// all of them.
///
/// Without `scope` 200 whatever state the tokens are in (RFC 7009 section 2.2); with it 401 for a token that is not good
/// any more, which ends no other session. 503 when it could not be made durable.
struct LogoutEndpoint: NativeEndpoint {
    let services: BackendServices

    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        var (refreshToken, scope): (String?, LogoutScope?)
        if !request.body.isEmpty {
            switch ClientBody.decode(LogoutBody.self, request.body) {
            case .success(let decoded): (refreshToken, scope) = (decoded.refreshToken, decoded.scope)
            case .failure(let invalid): return invalid.reply
            }
        }
        guard refreshToken != nil || request.bearer != nil else {
            return NativeReply.invalidRequest("A refreshToken or a bearer token is needed")
        }
        let outcome = try await services.token.call(
            TokenOperations.logout,
            LogoutRequest(refreshToken: refreshToken, accessToken: request.bearer, scope: scope),
            requestID: request.requestID)
        switch outcome {
        case .answer: return NativeReply.ok(SuccessReply())
        case .refused(let refusal, _): return SessionReply.refusal(refusal)
        }
    }
}
