internal import AuthAPI
internal import InternalAPI

/// `DELETE /sessions/{id}`: ends one of the bearer's own sessions; safe to repeat.
struct EndSessionEndpoint: NativeEndpoint {
    /// Longer ids are nobody's.
    private static let idLengthMax = 64

    let services: BackendServices

    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        let id = String(request.head.pathText.split(separator: "/").last ?? "")
        guard id.utf8.count <= Self.idLengthMax else { return SessionReply.notFound }
        let end = InternalRequest(
            .post, TokenContract.endOwnSessionPath, accessToken: request.bearer, requestID: request.requestID,
            body: try services.token.encode(EndOwnSessionRequest(sessionID: id)))
        switch try await services.token.send(end, as: Done.self) {
        case .answer: return NativeReply.ok(SuccessReply())
        case .refused(let code): return SessionReply.refusal(code)
        }
    }
}
