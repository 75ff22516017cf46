internal import Hummingbird
internal import InternalAPI
internal import Logging
internal import ServiceKit

/// What confidential clients ask (RFC 7009, RFC 7662).
struct ClientRoutes: Sendable {
    let gate: ClientGate
    let introspect: IntrospectToken
    let end: EndSession

    func add(to routes: ServiceRoutes) {
        routes.on(.post, TokenContract.introspectPath, from: [.gateway]) { request, context in
            try await answer(request, context) { token in
                ClientTokenAnswer(.done, introspection: try await introspect(token))
            }
        }
        routes.on(.post, TokenContract.revokePath, from: [.gateway]) { request, context in
            try await answer(request, context) { token in
                // Whichever of the two it is: the session ends with it, so that no token of the sign-in outlives the
                // one that its holder gave up (RFC 7009 section 2.1 lets a server end the related tokens).
                _ = try await end(LogoutRequest(refreshToken: token, accessToken: token), reason: .client)
                return ClientTokenAnswer(.done)
            }
        }
    }

    private func answer(
        _ request: Request, _ context: ServiceRequestContext, _ act: (String) async throws -> ClientTokenAnswer
    ) async throws -> Response {
        let body = try decodeBody(ClientTokenRequest.self, from: context)
        if let refusal = gate.refusal(of: body) {
            context.logger.notice("oauth.client.refused", metadata: ["reason": "\(refusal.result.rawValue)"])
            return try jsonResponse(refusal)
        }
        return try await TokenRoutes.translating { try jsonResponse(try await act(body.token)) }
    }
}
