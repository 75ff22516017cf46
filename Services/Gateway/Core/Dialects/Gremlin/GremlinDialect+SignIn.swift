import AuthAPI
import EdgeHTTP
import InternalAPI

/// Sign-in, refresh and sign-out.
extension GremlinDialect {
    private struct SignOutBody: Decodable {
        let refreshToken: String?
    }

    /// `POST /api/auth/sign-in-email` and `/api/auth/sign-in/email`
    @Sendable func signIn(_ request: EndpointRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let signedIn = try await request.signInByPassword(in: name, useCases)
        return .json(
            GremlinSignIn(user: GremlinUser(signedIn.resolved.user), session: GremlinSession(signedIn.tokens)))
    }

    /// `POST /api/auth/refresh`: rotates the refresh token.
    @Sendable func refresh(_ request: EndpointRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        .json(GremlinRefresh(session: GremlinSession(try await request.refresh(useCases))))
    }

    /// `POST /api/auth/sign-out`: revokes the session of the bearer, or of a refresh token in the body.
    @Sendable func signOut(_ request: EndpointRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body =
            request.body.isEmpty
            ? SignOutBody(refreshToken: nil) : try JSONBody.decode(SignOutBody.self, request.body)
        try await useCases.logOut(refreshToken: body.refreshToken, scope: nil, ClientCall(request))
        return .json(SuccessReply())
    }
}
