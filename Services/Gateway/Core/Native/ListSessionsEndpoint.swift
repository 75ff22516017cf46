internal import AuthAPI
internal import InternalAPI

/// `GET /sessions`: where the bearer is signed in.
struct ListSessionsEndpoint: NativeEndpoint {
    let services: BackendServices

    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        let list = InternalRequest(
            .get, TokenContract.ownSessionsPath, accessToken: request.bearer, requestID: request.requestID)
        switch try await services.token.send(list, as: SessionList.self) {
        case .answer(let sessions): return NativeReply.ok(sessions)
        case .refused(let code): return SessionReply.refusal(code)
        }
    }
}
