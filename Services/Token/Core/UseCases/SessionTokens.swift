import InternalAPI
import Policies

/// Puts a session's tokens together once its row is durable.
struct SessionTokens: Sendable {
    let claims: ClaimsSeal
    let mint: AccessTokenMint

    /// - Parameters:
    ///   - accessExpiresAt: when the access token is to expire; the row allows for it.
    ///   - now: the time that the row was given.
    func make(
        _ session: SessionRecord, _ refreshToken: RefreshToken, profile: TokenProfile, accessExpiresAt: Int64,
        now: Int64
    ) async throws -> TokenSet {
        let claims = try claims.open(session.sealedClaims, of: session.id)
        let accessToken = try await mint.mint(
            session, claims: claims, profile: profile, expiresAt: accessExpiresAt, now: now)
        return TokenSet(
            accessToken: accessToken, refreshToken: refreshToken.text(prefix: profile.refresh.prefix),
            accessExpiresAt: accessExpiresAt, refreshExpiresAt: session.refreshExpiresAt,
            expiresIn: accessExpiresAt - now, sessionID: session.id.text, userID: session.userID)
    }
}
