import AuthAPI
import EdgeHTTP
import InternalAPI

/// Sign-in, refresh and sign-out.
extension GremlinDialect {
    struct SignOutBody: Decodable {
        let refreshToken: String?
    }

    /// `POST /api/auth/sign-in-email` and `/api/auth/sign-in/email`
    @Sendable func signIn(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let signedIn = try await request.signInByPassword(in: name, useCases)
        let issued = request.issued(signedIn)
        return .json(
            GremlinSignIn(user: GremlinUser(signedIn.resolved.user), session: GremlinSession(issued.tokens)),
            headers: issued.cookies)
    }

    /// `POST /api/auth/refresh`: rotates the refresh token.
    @Sendable func refresh(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let issued = request.issued(try await request.refresh(useCases))
        return .json(GremlinRefresh(session: GremlinSession(issued.tokens)), headers: issued.cookies)
    }

    /// `POST /api/auth/sign-out`: revokes the session of the bearer, or of a refresh token in the body.
    @Sendable func signOut(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decodeIfSent(SignOutBody.self)
        try await request.logOut(useCases, refreshToken: body?.refreshToken)
        return .json(SuccessReply(), headers: request.clearing)
    }
}
