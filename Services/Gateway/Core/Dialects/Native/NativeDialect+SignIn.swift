import AuthAPI
import EdgeHTTP
import InternalAPI

/// Sign-in, refresh and sign-out (howru section 3).
extension NativeDialect {
    /// `POST /auth/otp/request`: sends a one-time code.
    @Sendable func requestCode(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(OTPRequestBody.self)
        let order = RequestCode.Order(
            dialect: name, phone: body.phoneNumber, region: body.countryCode, channel: body.channel,
            locale: body.locale, appHash: body.appHash)
        try await useCases.requestCode(order, ClientCall(request))
        return .json(OTPRequestReply(success: true, status: "pending", message: "Verification code sent"))
    }

    /// `POST /auth/otp/verify`: exchanges a code for a session.
    @Sendable func verifyCode(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(OTPVerifyBody.self)
        let signedIn = try await useCases.signIn(
            SignInByCode.Proof(phone: body.phoneNumber, region: body.countryCode, code: body.code),
            OpenSession.Wishes(
                dialect: name, name: body.name, deviceName: body.deviceName, newAccount: body.newAccount == true),
            ClientCall(request))
        return reply(to: request, signedIn)
    }

    /// `POST /auth/phone-token`: exchanges a phone token for a session.
    @Sendable func exchangePhoneToken(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        try await signIn(byPhoneToken: request, useCases.signInByPhoneToken)
    }

    func signIn(
        byPhoneToken request: ClientRequest, _ exchange: SignInByPhoneToken
    ) async throws(Refusal) -> Reply {
        let body = try request.json.decode(PhoneTokenBody.self)
        let signedIn = try await exchange(
            SignInByPhoneToken.Proof(token: body.token, nonce: body.nonce),
            OpenSession.Wishes(
                dialect: name, name: body.name, deviceName: body.deviceName, newAccount: body.newAccount == true),
            ClientCall(request))
        return reply(to: request, signedIn)
    }

    /// `POST /auth/restore`: exchanges a restore token for a session.
    @Sendable func restore(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(RestoreBody.self)
        let signedIn = try await useCases.restoreAccount(
            body.restoreToken, OpenSession.Wishes(dialect: name, deviceName: body.deviceName), ClientCall(request))
        return reply(to: request, signedIn)
    }

    /// Returns the response to a sign-in, whatever its proof.
    ///
    /// - Parameter namesTokensTwice: whether the tokens have the names of uta's login too.
    func reply(
        to request: ClientRequest, _ signedIn: OpenSession.SignedIn, namesTokensTwice: Bool = false
    ) -> Reply {
        let issued = request.issued(signedIn)
        let reply = SignInReply(
            success: true, isNewUser: signedIn.resolved.isNewUser, user: attributes.profile(signedIn.resolved.user),
            tokens: TokenReply(issued.tokens), restored: signedIn.resolved.restored ? true : nil,
            newDevice: signedIn.resolved.isNewDevice == true ? true : nil)
        return namesTokensTwice
            ? .json(LoginReply(reply), headers: issued.cookies) : .json(reply, headers: issued.cookies)
    }

    /// `POST /auth/refresh`: rotates the refresh token.
    @Sendable func refresh(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let issued = request.issued(try await request.refresh(useCases))
        return .json(TokenReply(issued.tokens), headers: issued.cookies)
    }

    /// `POST /auth/logout`: revokes the session, the user's other sessions, or all of them.
    @Sendable func logOut(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decodeIfSent(LogoutBody.self)
        try await request.logOut(useCases, refreshToken: body?.refreshToken, scope: body?.scope)
        return .json(SuccessReply(), headers: body?.scope == .others ? [] : request.clearing)
    }
}

extension TokenReply {
    /// Creates the client's view of a token set.
    init(_ tokens: TokenSet) {
        self.init(
            accessToken: tokens.accessToken, refreshToken: tokens.refreshToken, expiresIn: tokens.expiresIn)
    }
}
