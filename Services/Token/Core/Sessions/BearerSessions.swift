import AccessTokens
import InternalAPI
import Policies
import ServiceCalls

/// The state of an access token, as this service itself determines it (design section 4).
enum BearerStanding: Sendable {
    /// The token is valid and its session is live.
    case live(SessionRecord, AccessTokenClaims)
    /// The token is not ours, expired, or older than the user's current rights.
    case refused
    /// The token would be valid, but its session is revoked.
    case ended
    /// The user is deactivated.
    case inactive
}

/// Verifies access tokens with the keys and rows. A session that is revoked in the database is revoked here at once.
struct BearerSessions: Sendable {
    /// The forms of users' tokens beside the policy's own.
    let forms: [TokenForm]
    let policy: Policy
    let keys: SigningKeys
    let claims: ClaimsSeal
    let store: any SessionStore

    /// Carries out a request of a signed-in user with the token's live session, or refuses it.
    ///
    /// - Throws: the store's errors, and those of `act`.
    func admit<Answer, Refusal: BearersRefusal>(
        _ token: String, now: Int64,
        _ act: (SessionRecord) async throws -> OperationOutcome<Answer, Refusal>
    ) async throws -> OperationOutcome<Answer, Refusal> {
        switch try await standing(of: token, now: now) {
        case .live(let session, _): try await act(session)
        case .refused, .ended: .refused(.invalidToken)
        case .inactive: .refused(.accountInactive)
        }
    }

    /// - Throws: the store's errors, in which case the state of the token is unknown.
    func standing(of token: String, now: Int64) async throws -> BearerStanding {
        guard let tokenClaims = try await verified(Array(token.utf8), now),
            let id = SessionID(text: tokenClaims.sessionID)
        else { return .refused }
        let standing = try await standing(of: tokenClaims, in: try await store.session(named: id))
        if case .live = standing { return standing }
        return try await self.standing(of: tokenClaims, in: try await store.durableSession(named: id))
    }

    private func standing(
        of tokenClaims: AccessTokenClaims, in session: SessionRecord?
    ) async throws -> BearerStanding {
        guard let session, session.userID == tokenClaims.subject else { return .refused }
        if let reason = session.revokedFor { return reason == .inactive ? .inactive : .ended }
        let present = try claims.open(session.sealedClaims, of: session.id)
        guard tokenClaims.version < present.version else { return .live(session, tokenClaims) }
        // A change that only added something has left earlier tokens valid.
        return tokenClaims.version < (try await store.durableFloor(of: session.id))
            ? .refused : .live(session, tokenClaims)
    }

    private func verified(_ token: [UInt8], _ now: Int64) async throws -> AccessTokenClaims? {
        do throws(TokenRejection) { return try verifier.verify(token, now: now) } catch {
            guard error == .unknownKey else { return nil }
        }
        // A replica may have made the key since the last check.
        try await keys.reloadIfChanged()
        do throws(TokenRejection) { return try verifier.verify(token, now: now) } catch { return nil }
    }

    private var verifier: AccessTokenVerifier {
        AccessTokenVerifier(policy, forms: forms, keys: keys.current.verification)
    }
}
