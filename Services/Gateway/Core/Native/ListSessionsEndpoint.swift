internal import AuthAPI
internal import EdgeHTTP
internal import InternalAPI

/// `GET /sessions`: where the bearer is signed in.
struct ListSessionsEndpoint: NativeEndpoint {
    let services: BackendServices

    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        let outcome = try await services.token.call(
            TokenOperations.ownSessions, accessToken: request.bearer, requestID: request.requestID)
        switch outcome {
        case .answer(let sessions): return NativeReply.ok(sessions)
        case .refused(let refusal, _): return SessionReply.refusal(refusal)
        }
    }
}
