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
        let body = try request.json.decode(TriggerBody.self)
        try await useCases.requestCode(RequestCode.Order(dialect: name, phone: body.phone), ClientCall(request))
        return .json(SuccessReply())
    }

    /// `POST /auth/otp/verify`: exchanges a code for a session.
    @Sendable func verifyCode(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(VerifyBody.self)
        let signedIn = try await useCases.signIn(
            SignInByCode.Proof(phone: body.phone, code: body.otp), OpenSession.Wishes(dialect: name),
            ClientCall(request))
        let issued = request.issued(signedIn)
        return .json(
            AarokyaTokens(issued.tokens, isNewUser: signedIn.resolved.isNewUser), headers: issued.cookies)
    }

    /// `POST /auth/token/refresh`: rotates the refresh token.
    @Sendable func refresh(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let issued = request.issued(try await request.refresh(useCases, \RefreshBody.refreshToken))
        return .json(AarokyaTokens(issued.tokens), headers: issued.cookies)
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
