internal import InternalAPI

/// What a new session's row is made of; times are Unix seconds.
struct SessionOpening: Sendable {
    let grantID: String
    /// Until when the grant could be presented again.
    let grantExpiresAt: Int64
    let userID: String
    let epoch: Int64
    /// Of the rights in `sealedClaims`.
    let version: Int64
    let id: SessionID
    let dialect: String
    let method: String
    let createdAt: Int64
    let idleExpiresAt: Int64
    let absoluteExpiresAt: Int64?
    let accessExpiresAt: Int64
    let device: String?
    let network: String?
    let sealedClaims: [UInt8]
    /// The mark of the key that makes the first token; zeros without a key.
    let salt: [UInt8]
    /// How many sessions that can be refreshed the user has afterwards at most.
    let sessionsMax: Int
    /// The first refresh token, once the row is known.
    let firstToken: @Sendable (_ locator: Int64) -> RefreshToken
    /// The first token of a session that this grant has already opened, if this request is the same one again.
    let repeatedToken: @Sendable (_ session: SessionRecord) -> RefreshToken?
}

/// What came of opening a session.
enum OpeningResult: Sendable, Equatable {
    /// With it sessions may have ended that Redis does not know of yet.
    case opened(SessionRecord, RefreshToken, displaced: [Revocation])
    /// The same request once more: the same session and token.
    case repeated(SessionRecord, RefreshToken)
    /// The grant is spent.
    case spent
    /// The grant is older than the user's last revocation, or than the last change of his rights.
    case epochStale
}
