import InternalAPI
import Logging
import ServiceHTTP

/// What confidential clients ask (RFC 7009, RFC 7662).
struct ClientRoutes: Sendable {
    let gate: ClientGate
    let introspect: IntrospectToken
    let end: EndSession

    /// The whole table.
    func add(to routes: inout ServiceRoutes) {
        routes.serve(TokenOperations.introspect) { request, call in
            if let refusal = refusal(of: request, call) { return .answer(refusal) }
            return .answer(ClientTokenAnswer(.done, introspection: try await introspect(request.token)))
        }
        routes.serve(TokenOperations.revokeByClient) { request, call in
            if let refusal = refusal(of: request, call) { return .answer(refusal) }
            // Whichever of the two it is: the session ends with it, so that no token of the sign-in outlives the one that
            // its holder gave up (RFC 7009 section 2.1 lets a server end the related tokens).
            _ = try await end(
                LogoutRequest(refreshToken: request.token, accessToken: request.token), reason: .client)
            return .answer(ClientTokenAnswer(.done))
        }
    }

    private func refusal(of request: ClientTokenRequest, _ call: ServiceCall) -> ClientTokenAnswer? {
        guard let refusal = gate.refusal(of: request) else { return nil }
        call.logger.notice("oauth.client.refused", metadata: ["reason": "\(refusal.result.rawValue)"])
        return refusal
    }
}
