package import CryptoPrimitives
package import InternalAPI
package import Policies

/// Makes the session that a grant opens, and its first refresh token.
package struct SessionOpenings: Sendable {
    private let tokenKeys: RefreshTokenKeys
    private let claims: ClaimsSeal
    private let sessionsMax: Int
    private let web: WebPolicy
    /// How long the tokens of an old server are remembered that have opened sessions, in Unix seconds.
    private let previousUntil: Int64

    /// - Parameters:
    ///   - ring: `token_storage_key`.
    ///   - sessionsMax: the number of sessions of one user that can be refreshed.
    ///   - web: the policy for the sessions of pages.
    ///   - previousUntil: how long the tokens of an old server are remembered, in Unix seconds.
    package init(ring: KeyRing, sessionsMax: Int, web: WebPolicy = WebPolicy(), previousUntil: Int64 = 0) {
        self.previousUntil = previousUntil
        tokenKeys = RefreshTokenKeys(ring: ring)
        claims = ClaimsSeal(ring: ring)
        self.sessionsMax = sessionsMax
        self.web = web
    }

    /// - Parameters:
    ///   - request: the source of the device and the dialect; its grant is the one that was opened.
    ///   - profile: the profile of the dialect.
    ///   - locator: the number reserved for the session.
    /// - Returns: the session to store, and the token's text.
    /// - Throws: `StorageSeal.Failure`.
    package func opening(
        _ grant: Grant, _ request: IssueRequest, _ key: IdempotencyKey?, _ profile: TokenProfile, locator: Int64,
        now: Int64
    ) throws -> (opening: SessionOpening, token: RefreshToken) {
        let id = SessionID.new(at: now)
        let token = firstToken(locator, grantID: grant.id, key)
        let device = DeviceFacts(request)
        let isPage = request.isPage == true
        let refresh = isPage ? profile.refresh.ofPage(web) : profile.refresh
        // A token of an old server is no proof of who presents it, as that at the sign-in there was.
        let isPrevious = grant.id.hasPrefix(PreviousToken.grantIDPrefix)
        let ends = [refresh.absoluteLifetimeSeconds.map { now + $0 }, grant.accessEndsAt].compactMap { $0 }.min()
        var session = SessionRecord(
            locator: locator, id: id, userID: grant.userID, epoch: grant.epoch, dialect: request.dialect,
            method: grant.method, currentHash: token.hash,
            salt: key?.mark ?? [UInt8](repeating: 0, count: RotationRule.saltByteCount), createdAt: now,
            lastUsedAt: now, authenticatedAt: isPrevious ? 0 : now,
            idleExpiresAt: now + refresh.idleLifetimeSeconds,
            absoluteExpiresAt: ends, accessExpiresAt: now,
            marks: isPage ? RotationMarks(beginningAt: now) : RotationMarks(), device: device.name,
            deviceKind: device.kind?.rawValue, network: device.network,
            pageHash: isPage ? SHA256.hash(tokenKeys.newest.pageSecret(of: token)) : nil,
            factors: grant.factors, sealedClaims: try claims.seal(grant.claims, for: id))
        session.accessExpiresAt = session.accessExpiry(profile.accessLifetimeSeconds, from: now)
        let opening = SessionOpening(
            grantID: grant.id,
            grantExpiresAt: isPrevious ? max(grant.expiresAt, previousUntil) : grant.expiresAt,
            version: grant.claims.version, session: session, sessionsMax: sessionsMax,
            replacedPageHash: request.replacedPage.flatMap(Base64URL.decode).map { SHA256.hash($0) })
        return (opening, token)
    }

    /// Returns the first token. With a key it can be made again, without one it is random.
    private func firstToken(_ locator: Int64, grantID: String, _ key: IdempotencyKey?) -> RefreshToken {
        guard let key else {
            return tokenKeys.newest.make(
                locator: locator, generation: 0, secret: SecureRandom.bytes(RefreshToken.secretByteCount))
        }
        return tokenKeys.newest.first(locator: locator, grantID: grantID, idempotencyKey: key.text)
    }
}
