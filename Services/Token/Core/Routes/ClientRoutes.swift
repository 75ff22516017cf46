import InternalAPI
import Logging
import ServiceHTTP

/// The operations of confidential clients (RFC 7009, RFC 7662), and those on the tokens that clients get for themselves.
struct ClientRoutes: Sendable {
    let gate: ClientGate
    let introspect: IntrospectToken
    let end: EndSession
    let issue: IssueClientToken
    let revoke: RevokeClient

    /// Adds all routes.
    func add(to routes: inout ServiceRoutes) {
        routes.serve(TokenOperations.introspect) { request, call in
            if let refusal = refusal(of: request, call) { return .answer(refusal) }
            return .answer(ClientTokenAnswer(.done, introspection: try await introspect(request.token)))
        }
        routes.serve(TokenOperations.revokeByClient) { request, call in
            if let refusal = refusal(of: request, call) { return .answer(refusal) }
            // Either kind of token revokes the session, so that no token of the sign-in outlives the revoked one (RFC 7009 section
            // 2.1 lets a server revoke the related tokens).
            _ = try await end(
                LogoutRequest(refreshToken: request.token, accessToken: request.token), reason: .client)
            return .answer(ClientTokenAnswer(.done))
        }
        routes.serve(TokenOperations.issueToClient) { request, _ in try await issue(request) }
        routes.serve(TokenOperations.revokeClient) { request, _ in
            try await revoke(request)
            return .answer(Done())
        }
    }

    private func refusal(of request: ClientTokenRequest, _ call: ServiceCall) -> ClientTokenAnswer? {
        guard let refusal = gate.refusal(of: request) else { return nil }
        call.logger.notice("oauth.client.refused", metadata: ["reason": "\(refusal.result.rawValue)"])
        return refusal
    }
}
