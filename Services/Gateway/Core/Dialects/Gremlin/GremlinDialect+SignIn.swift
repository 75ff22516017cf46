import AuthAPI
import EdgeHTTP
import InternalAPI

/// Signing in, going on and signing out.
extension GremlinDialect {
    private struct SignOutBody: Decodable {
        let refreshToken: String?
    }

    /// `POST /api/auth/sign-in-email` and `/api/auth/sign-in/email`
    @Sendable func signIn(_ request: EndpointRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try JSONBody.decode(LoginBody.self, request.body)
        let signedIn = try await useCases.signInByPassword(
            SignInByPassword.Credentials(email: body.email, password: body.password),
            OpenSession.Wishes(dialect: name, deviceName: body.deviceName), ClientCall(request))
        return .json(
            GremlinSignIn(user: GremlinUser(signedIn.resolved.user), session: GremlinSession(signedIn.tokens)))
    }

    /// `POST /api/auth/refresh`: rotates the refresh token.
    @Sendable func refresh(_ request: EndpointRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let asking = try JSONBody.decode(AskingBody<RefreshBody>.self, request.body)
        let tokens = try await useCases.refresh(
            asking.body.refreshToken, asksForRights: asking.rights.isAny, ClientCall(request))
        return .json(GremlinRefresh(session: GremlinSession(tokens)))
    }

    /// `POST /api/auth/sign-out`: ends the session of the bearer, or of a refresh token in the body.
    @Sendable func signOut(_ request: EndpointRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body =
            request.body.isEmpty
            ? SignOutBody(refreshToken: nil) : try JSONBody.decode(SignOutBody.self, request.body)
        try await useCases.logOut(refreshToken: body.refreshToken, scope: nil, ClientCall(request))
        return .json(SuccessReply())
    }
}
