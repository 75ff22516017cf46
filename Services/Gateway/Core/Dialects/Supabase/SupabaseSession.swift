import EdgeHTTP
import InternalAPI
import StrictJSON

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

    /// Keeps the member `data`, which becomes the metadata of the user that the code creates; an existing user keeps theirs.
    func keepData(for recipient: String, _ request: SupabaseRequest) async throws {
        guard let data = request["data"], request["create_user"] != .bool(false) else { return }
        guard case .object(let object) = data else { throw Refusal.invalidBody(.wrongType(member: "data")) }
        guard !object.members.isEmpty else { return }
        let own = String(decoding: data.canonical, as: UTF8.self)
        try await request.useCases.profile.keepMetadata(own, for: recipient, request.call)
    }

    /// Returns the response to a sign-in by a code, with the user's metadata if the code has created them.
    func session(
        _ signedIn: OpenSession.SignedIn, isRegistration: Bool = false, _ request: SupabaseRequest
    ) async throws(Refusal) -> Reply {
        if signedIn.resolved.isNewUser || isRegistration {
            try await request.useCases.profile.adoptMetadata(request.call.bearing(signedIn.tokens.accessToken))
        }
        return try await session(signedIn.tokens, request)
    }

    /// Returns the user of the call's access token.
    func user(_ request: SupabaseRequest, _ call: ClientCall) async throws(Refusal) -> SupabaseUser {
        let details = try await request.useCases.profile.read(call)
        let identities = try await request.useCases.identities.list(call)
        return try SupabaseUser(details, identities, prefix: facts.userIDPrefix).orUnavailable()
    }
}
