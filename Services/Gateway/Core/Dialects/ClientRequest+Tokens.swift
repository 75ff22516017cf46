import AuthAPI
import EdgeHTTP
import InternalAPI

/// Requests that several dialects read from the same body. Each dialect encodes the result in its own way.
extension ClientRequest {
    /// Opens a session of `dialect` with the email address and the password of a `LoginBody`.
    func signInByPassword(in dialect: String, _ useCases: UseCases) async throws(Refusal) -> OpenSession.SignedIn {
        let body = try json.decode(LoginBody.self)
        return try await useCases.signInByPassword(
            SignInByPassword.Credentials(email: body.email, password: body.password),
            OpenSession.Wishes(dialect: dialect, deviceName: body.deviceName), ClientCall(self))
    }

    /// Rotates the refresh token of the body, or of a page's cookies.
    func refresh<Body: Decodable>(
        _ useCases: UseCases, _ token: KeyPath<Body, String> = \RefreshBody.refreshToken
    ) async throws(Refusal) -> TokenSet {
        if let tokens = try await refreshByCookie(useCases) { return tokens }
        let asking = try json.decode(AskingBody<Body>.self)
        return try await useCases.refresh(
            asking.body[keyPath: token], asksForRights: asking.rights.isAny, ClientCall(self))
    }
}
