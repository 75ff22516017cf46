import AuthAPI
import EdgeHTTP
import InternalAPI

/// Sign-in, refresh and sign-out (aarokya, steps 1, 2 and 4, and "Session hygiene").
extension AarokyaDialect {
    struct TriggerBody: Decodable {
        let phone: String
    }

    struct VerifyBody: Decodable {
        let phone: String
        let otp: String
    }

    struct RefreshBody: Decodable {
        let refreshToken: String

        enum CodingKeys: String, CodingKey {
            case refreshToken = "refresh_token"
        }
    }

    /// `POST /auth/otp/trigger`: sends a one-time code.
    @Sendable func triggerCode(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try JSONBody.decode(TriggerBody.self, request.body)
        try await useCases.requestCode(RequestCode.Order(dialect: name, phone: body.phone), ClientCall(request))
        return .json(SuccessReply())
    }

    /// `POST /auth/otp/verify`: exchanges a code for a session.
    @Sendable func verifyCode(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try JSONBody.decode(VerifyBody.self, request.body)
        let signedIn = try await useCases.signIn(
            SignInByCode.Proof(phone: body.phone, code: body.otp), OpenSession.Wishes(dialect: name),
            ClientCall(request))
        let issued = request.issued(signedIn)
        return .json(
            AarokyaTokens(issued.tokens, isNewUser: signedIn.resolved.isNewUser), headers: issued.cookies)
    }

    /// `POST /auth/token/refresh`: rotates the refresh token.
    @Sendable func refresh(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let issued = request.issued(try await rotated(request, useCases))
        return .json(AarokyaTokens(issued.tokens), headers: issued.cookies)
    }

    private func rotated(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> TokenSet {
        if let tokens = try await request.refreshByCookie(useCases) { return tokens }
        let asking = try JSONBody.decode(AskingBody<RefreshBody>.self, request.body)
        return try await useCases.refresh(
            asking.body.refreshToken, asksForRights: asking.rights.isAny, ClientCall(request))
    }

    /// `POST /auth/logout`: revokes the bearer's session; the body is not read.
    @Sendable func logOut(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        guard request.credential != .malformed else { throw .accessTokenInvalid }
        try await request.logOut(useCases)
        return .json(SuccessReply(), headers: request.clearing)
    }

    /// `GET /user/profile`
    @Sendable func readProfile(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        .json(AarokyaProfile(attributes.profile(try await useCases.profile.read(ClientCall(request)))))
    }
}
