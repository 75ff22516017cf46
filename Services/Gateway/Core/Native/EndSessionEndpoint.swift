internal import AuthAPI
internal import EdgeHTTP
internal import InternalAPI

/// `DELETE /sessions/{id}`: ends one of the bearer's own sessions; safe to repeat.
struct EndSessionEndpoint: NativeEndpoint {
    /// Longer ids are nobody's.
    private static let idLengthMax = 64

    let services: BackendServices

    func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
        let id = String(request.head.pathText.split(separator: "/").last ?? "")
        guard id.utf8.count <= Self.idLengthMax else { return SessionReply.notFound }
        let outcome = try await services.token.call(
            TokenOperations.endOwnSession, EndOwnSessionRequest(sessionID: id), accessToken: request.bearer,
            requestID: request.requestID)
        switch outcome {
        case .answer: return NativeReply.ok(SuccessReply())
        case .refused(let refusal, _): return SessionReply.refusal(refusal)
        }
    }
}
