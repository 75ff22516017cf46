import AccessTokens
import InternalAPI
import Policies

/// Who holds an access token, as this service judges it by itself (design section 4).
enum BearerStanding: Sendable {
    /// The token is good and its session lives.
    case live(SessionRecord, AccessTokenClaims)
    /// Not ours, expired, or older than the user's present rights.
    case refused
    /// The token would be good, but its session has ended.
    case ended
    /// The user is deactivated.
    case inactive
}

/// What comes of a request that a signed-in user makes about his own sessions.
enum BearerOutcome<Value: Sendable & Equatable>: Sendable, Equatable {
    case done(Value)
    case invalidToken
    case inactive
}

/// Judges access tokens against keys and rows: a session that is revoked in the database is revoked here at once.
struct BearerSessions: Sendable {
    let policy: Policy
    let keys: SigningKeys
    let claims: ClaimsSeal
    let store: any SessionStore

    /// - Throws: the store's errors, for then nothing can be said about the token.
    func standing(of token: String, now: Int64) async throws -> BearerStanding {
        guard let tokenClaims = try await verified(Array(token.utf8), now),
            let id = SessionID(text: tokenClaims.sessionID), let session = try await store.session(named: id),
            session.userID == tokenClaims.subject
        else { return .refused }
        if let reason = session.revokedFor { return reason == .inactive ? .inactive : .ended }
        let present = try claims.open(session.sealedClaims, of: session.id)
        return tokenClaims.version < present.version ? .refused : .live(session, tokenClaims)
    }

    private func verified(_ token: [UInt8], _ now: Int64) async throws -> AccessTokenClaims? {
        do throws(TokenRejection) { return try verifier.verify(token, now: now) } catch {
            guard error == .unknownKey else { return nil }
        }
        // A replica may have made the key since we last looked.
        try await keys.reloadIfChanged()
        do throws(TokenRejection) { return try verifier.verify(token, now: now) } catch { return nil }
    }

    private var verifier: AccessTokenVerifier {
        AccessTokenVerifier(
            issuer: policy.issuer, audience: policy.audience, leewaySeconds: policy.signing.leewaySeconds,
            keys: keys.current.verification)
    }
}
