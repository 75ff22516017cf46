import EdgeHTTP
import InternalAPI

/// A session as Supabase Auth returns it.
struct SupabaseSession: Encodable, Sendable {
    let access_token: String
    let token_type = "bearer"
    let expires_in, expires_at: Int64
    let refresh_token: String
    let user: SupabaseUser

    init(_ tokens: TokenSet, _ user: SupabaseUser) {
        (access_token, refresh_token) = (tokens.accessToken, tokens.refreshToken)
        (expires_in, expires_at) = (tokens.expiresIn, tokens.accessExpiresAt)
        self.user = user
    }
}

extension SupabaseDialect {
    /// Returns the response to every sign-in and refresh: the session with its user.
    func session(_ tokens: TokenSet, _ request: SupabaseRequest) async throws(Refusal) -> Reply {
        .json(SupabaseSession(tokens, try await user(request, request.call.bearing(tokens.accessToken))))
    }

    /// Returns the user of the call's access token.
    func user(_ request: SupabaseRequest, _ call: ClientCall) async throws(Refusal) -> SupabaseUser {
        let details = try await request.useCases.profile.read(call)
        let identities = try await request.useCases.identities.list(call)
        return try SupabaseUser(details, identities, prefix: facts.userIDPrefix).orUnavailable()
    }
}
