import AuthAPI
import EdgeHTTP
import InternalAPI

/// Requests that several dialects read from the same body. Each dialect encodes the result in its own way.
extension ClientRequest {
    /// Opens a session of `dialect` with the email address and the password of a `LoginBody`.
    func signInByPassword(in dialect: String, _ useCases: UseCases) async throws(Refusal) -> OpenSession.SignedIn {
        let body = try JSONBody.decode(LoginBody.self, body)
        return try await useCases.signInByPassword(
            SignInByPassword.Credentials(email: body.email, password: body.password),
            OpenSession.Wishes(dialect: dialect, deviceName: body.deviceName), ClientCall(self))
    }

    /// Rotates the refresh token of a `RefreshBody`, or of a page's cookies.
    func refresh(_ useCases: UseCases) async throws(Refusal) -> TokenSet {
        if let tokens = try await refreshByCookie(useCases) { return tokens }
        let asking = try JSONBody.decode(AskingBody<RefreshBody>.self, body)
        return try await useCases.refresh(
            asking.body.refreshToken, asksForRights: asking.rights.isAny, ClientCall(self))
    }
}
