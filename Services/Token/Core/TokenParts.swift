internal import CryptoPrimitives
internal import Logging
internal import Policies
internal import SQLiteStore

/// The service's parts, put together from what it stands on; tests put the same ones together.
struct TokenParts: Sendable {
    let store: any SessionStore
    let publisher: RevocationPublisher
    let routes: TokenRoutes
    let keyRotation: KeyRotation
    let now: @Sendable () -> Int64

    init(
        policy: Policy, database: SQLiteDatabase, keys: SigningKeys, storageRing: KeyRing, grantKeys: KeyRing,
        feed: any RevocationFeedWriter, limiter: any RefreshLimiter, now: @escaping @Sendable () -> Int64,
        logger: Logger
    ) {
        let store = SQLiteSessionStore(
            database: database, userIDs: StoredUserID(prefix: policy.userIDPrefix),
            auditsRefreshes: policy.audit.refresh == .full)
        let publisher = RevocationPublisher(store: store, keys: keys.table, feed: feed, now: now, logger: logger)
        let claims = ClaimsSeal(ring: storageRing)
        let tokenKeys = RefreshTokenKeys(ring: storageRing)
        let tokens = SessionTokens(
            claims: claims, mint: AccessTokenMint(issuer: policy.issuer, audience: policy.audience, keys: keys))
        self.store = store
        self.publisher = publisher
        self.now = now
        keyRotation = KeyRotation(
            keys: keys, publisher: publisher, feed: feed, now: now, pause: { try await Task.sleep(for: $0) },
            logger: logger)
        routes = TokenRoutes(
            issue: IssueSession(
                policy: policy, grantKeys: grantKeys, tokenKeys: tokenKeys, store: store, claims: claims,
                tokens: tokens,
                now: now),
            rotate: RotateRefreshToken(
                policy: policy, keys: tokenKeys, store: store, limiter: limiter, publisher: publisher, tokens: tokens,
                now: now),
            end: EndSession(
                policy: policy, keys: tokenKeys, accessTokens: AccessTokenReader(keys: keys), store: store,
                publisher: publisher, now: now),
            revokeUser: RevokeUser(store: store, publisher: publisher, now: now), keys: keys)
    }
}
