internal import AuthAPI
internal import EdgeHTTP
internal import InternalAPI

/// `DELETE /sessions`: ends all of the bearer's sessions but the one of this request.
struct EndOtherSessionsEndpoint: NativeEndpoint {
    let services: BackendServices

    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        let outcome = try await services.token.call(
            TokenOperations.endOtherSessions, accessToken: request.bearer, requestID: request.requestID)
        switch outcome {
        case .answer: return NativeReply.ok(SuccessReply())
        case .refused(let refusal, _): return SessionReply.refusal(refusal)
        }
    }
}
