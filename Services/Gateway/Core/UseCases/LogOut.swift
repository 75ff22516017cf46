import AuthAPI
import InternalAPI

/// Revokes the session of a refresh token, of the bearer, or of both; or the user's other sessions, or all of them.
///
/// Without a scope it succeeds whatever state the tokens are in (RFC 7009 section 2.2). With a scope, a token that is no longer
/// valid is refused and revokes no other session.
struct LogOut: Sendable {
    let token: ServiceClient
    let signedInUser: SignedInUser

    /// Returns once the revocation is durable.
    func callAsFunction(refreshToken: String?, scope: LogoutScope?, _ call: ClientCall) async throws(Refusal) {
        guard refreshToken != nil || call.accessToken != nil else { throw .nothingToEnd }
        let request = LogoutRequest(refreshToken: refreshToken, accessToken: call.accessToken, scope: scope)
        _ = try await token.answer(TokenOperations.logout, request, for: call)
    }

    /// Signs out with an access token of ours that may have expired, and whose session may have ended. It ends at most that session
    /// then.
    func withAnyToken(scope: LogoutScope, _ call: ClientCall) async throws(Refusal) {
        guard call.credential != .missing else { throw .noAccessToken }
        guard signedInUser.isOurs(call.credential) else { throw .accessTokenInvalid }
        do throws(Refusal) {
            try await self(refreshToken: nil, scope: scope, call)
        } catch .accessTokenInvalid {
            guard scope == .all else { return }
            try await self(refreshToken: nil, scope: nil, call)
        }
    }
}
