import AuthAPI
import EdgeHTTP
import InternalAPI

/// What several dialects read out of the same body; each encodes what came of it in its own words.
extension EndpointRequest {
    /// Opens a session of `dialect` by the address and the password of a `LoginBody`.
    func signInByPassword(in dialect: String, _ useCases: UseCases) async throws(Refusal) -> OpenSession.SignedIn {
        let body = try JSONBody.decode(LoginBody.self, body)
        return try await useCases.signInByPassword(
            SignInByPassword.Credentials(email: body.email, password: body.password),
            OpenSession.Wishes(dialect: dialect, deviceName: body.deviceName), ClientCall(self))
    }

    /// Rotates the refresh token of a `RefreshBody`.
    func refresh(_ useCases: UseCases) async throws(Refusal) -> TokenSet {
        let asking = try JSONBody.decode(AskingBody<RefreshBody>.self, body)
        return try await useCases.refresh(
            asking.body.refreshToken, asksForRights: asking.rights.isAny, ClientCall(self))
    }
}
