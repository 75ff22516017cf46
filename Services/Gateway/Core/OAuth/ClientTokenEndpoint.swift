internal import EdgeHTTP
internal import InternalAPI

/// `POST /oauth/introspect` (RFC 7662) and `POST /oauth/revoke` (RFC 7009), for confidential clients.
///
/// token-service knows the clients and judges the token by its own database.
struct ClientTokenEndpoint: NativeEndpoint {
    enum Operation: Sendable { case introspect, revoke }

    let services: BackendServices
    let operation: Operation

    func reply(to request: EndpointRequest) async -> Reply {
        switch ClientTokenForm.read(request) {
        case .failure(let invalid): return invalid.reply
        case .success(let asked):
            do throws(ServiceUnavailable) {
                return Self.reply(to: try await answer(asked, requestID: request.requestID))
            } catch { return OAuthReply.unavailable }
        }
    }

    private func answer(
        _ asked: ClientTokenRequest, requestID: String
    ) async throws(ServiceUnavailable) -> OperationOutcome<ClientTokenAnswer, InvalidRequestOnly> {
        let operation = operation == .introspect ? TokenOperations.introspect : TokenOperations.revokeByClient
        return try await services.token.call(operation, asked, requestID: requestID)
    }

    private static func reply(to outcome: OperationOutcome<ClientTokenAnswer, InvalidRequestOnly>) -> Reply {
        guard case .answer(let answer) = outcome else {
            return OAuthReply.invalidRequest("The request is not valid")
        }
        switch answer.result {
        case .done: return answer.introspection.map { NativeReply.ok($0) } ?? OAuthReply.revoked
        case .invalidClient: return OAuthReply.invalidClient
        case .rateLimited: return OAuthReply.rateLimited(retryAfterSeconds: answer.retryAfterSeconds ?? 60)
        }
    }
}
