import InternalAPI
import Policies

/// Assembles a session's tokens once its row is durable.
struct SessionTokens: Sendable {
    let claims: ClaimsSeal
    let mint: AccessTokenMint

    /// - Parameters:
    ///   - accessExpiresAt: the expiry of the access token, which the row allows for.
    ///   - now: the time that was written to the row.
    func make(
        _ session: SessionRecord, _ refreshToken: RefreshToken, profile: TokenProfile, accessExpiresAt: Int64,
        now: Int64
    ) async throws -> TokenSet {
        let claims = try claims.open(session.sealedClaims, of: session.id)
        let accessToken = try await mint.mint(
            session, claims: claims, profile: profile, expiresAt: accessExpiresAt, now: now)
        var set = TokenSet(
            accessToken: accessToken, refreshToken: refreshToken.text(prefix: profile.refresh.prefix),
            accessExpiresAt: accessExpiresAt, refreshExpiresAt: session.refreshExpiresAt,
            expiresIn: accessExpiresAt - now, sessionID: session.id.text, userID: session.userID)
        // The client has the first token now, and needs the old server's no more.
        set.previous = session.generation == 1 ? claims.previous : nil
        return set
    }
}
