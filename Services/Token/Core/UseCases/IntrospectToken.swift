import AccessTokens
import AuthAPI
import CryptoPrimitives
import InternalAPI
import Policies

/// Reports the current state of a token from our own database (RFC 7662).
///
/// The client's `token_type_hint` is not needed, since the two kinds look different. All tokens that are inactive or invalid get
/// the same response.
struct IntrospectToken: Sendable {
    static let inactive = IntrospectionReply(active: false)

    let policy: Policy
    let keys: RefreshTokenKeys
    let bearers: BearerSessions
    let store: any SessionStore
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: the store's errors, in which case the state of the token is unknown.
    func callAsFunction(_ token: String) async throws -> IntrospectionReply {
        let now = now()
        let prefixes = Set(policy.profiles.map(\.refresh.prefix))
        if let bytes = RefreshToken.bytes(of: token, prefixes: prefixes) {
            guard let token = keys.open(bytes) else { return Self.inactive }
            var session = active(try await store.session(at: token.locator), token, now)
            if session == nil { session = active(try await store.durableSession(at: token.locator), token, now) }
            return session.map { refreshToken(of: $0) } ?? Self.inactive
        }
        guard case .live(let session, let claims) = try await bearers.standing(of: token, now: now) else {
            return Self.inactive
        }
        return accessToken(claims, session)
    }

    private func accessToken(_ claims: AccessTokenClaims, _ session: SessionRecord) -> IntrospectionReply {
        var reply = described(session)
        reply.exp = claims.expiresAt
        reply.iat = claims.issuedAt
        reply.jti = claims.tokenID
        if case .string(let role) = claims.additional["role"] { reply.role = role }
        if case .integer(let time) = claims.additional[TokenProfile.authenticationTime] { reply.authTime = time }
        if case .string(let level) = claims.additional[TokenProfile.level] { reply.acr = level }
        if case .strings(let methods) = claims.additional[TokenProfile.methods] { reply.amr = methods }
        reply.tokenType = "Bearer"
        return reply
    }

    /// Returns the session if the refresh token is active. Only the newest token of a session is, although a client that lost a
    /// response may still use its last one.
    private func active(_ session: SessionRecord?, _ token: RefreshToken, _ now: Int64) -> SessionRecord? {
        guard let session, session.revokedFor == nil, now < session.refreshExpiresAt,
            token.generation < RefreshToken.generationMax, constantTimeEqual(token.hash, session.currentHash)
        else { return nil }
        return session
    }

    private func refreshToken(of session: SessionRecord) -> IntrospectionReply {
        var reply = described(session)
        reply.exp = session.refreshExpiresAt
        reply.iat = session.lastUsedAt
        reply.tokenType = "refresh_token"
        return reply
    }

    private func described(_ session: SessionRecord) -> IntrospectionReply {
        var reply = IntrospectionReply(active: true)
        reply.sub = session.userID
        reply.sid = session.id.text
        let profile = policy.profile(forDialect: session.dialect)
        reply.iss = profile.map(policy.issuer) ?? policy.issuer
        reply.aud = profile.map(policy.audience) ?? policy.audience
        return reply
    }
}
