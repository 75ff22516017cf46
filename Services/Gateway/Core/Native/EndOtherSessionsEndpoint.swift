internal import AuthAPI
internal import InternalAPI

/// `DELETE /sessions`: ends all of the bearer's sessions but the one of this request.
struct EndOtherSessionsEndpoint: NativeEndpoint {
    let services: BackendServices

    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        let end = InternalRequest(
            .post, TokenContract.endOtherSessionsPath, accessToken: request.bearer, requestID: request.requestID)
        switch try await services.token.send(end, as: Done.self) {
        case .answer: return NativeReply.ok(SuccessReply())
        case .refused(let code): return SessionReply.refusal(code)
        }
    }
}
