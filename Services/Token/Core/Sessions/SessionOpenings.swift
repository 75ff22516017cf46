internal import CryptoPrimitives
internal import InternalAPI
internal import Policies

/// Makes of a grant what its session's row is to hold.
struct SessionOpenings: Sendable {
    let tokenKeys: RefreshTokenKeys
    let claims: ClaimsSeal
    let sessionsMax: Int

    /// - Parameters:
    ///   - request: tells the device and the dialect; its grant is the one that was opened.
    ///   - profile: that of the dialect.
    /// - Throws: `StorageSeal.Failure`.
    func opening(
        _ grant: Grant, _ request: IssueRequest, _ key: IdempotencyKey?, _ profile: TokenProfile, _ now: Int64
    ) throws -> SessionOpening {
        let id = SessionID.new(at: now)
        let device = DeviceFacts(request)
        let refresh = profile.refresh
        return SessionOpening(
            grantID: grant.id, grantExpiresAt: grant.expiresAt, userID: grant.userID, epoch: grant.epoch,
            version: grant.claims.version, id: id, dialect: request.dialect, method: grant.method, createdAt: now,
            idleExpiresAt: now + refresh.idleLifetimeSeconds,
            absoluteExpiresAt: refresh.absoluteLifetimeSeconds.map { now + $0 },
            accessExpiresAt: now + profile.accessLifetimeSeconds, device: device.name, network: device.network,
            sealedClaims: try claims.seal(grant.claims, for: id),
            salt: key?.mark ?? [UInt8](repeating: 0, count: RotationRule.saltByteCount), sessionsMax: sessionsMax,
            firstToken: firstToken(grantID: grant.id, key),
            repeatedToken: { [tokenKeys] session in
                OpeningRule.repeatedToken(
                    session, grantID: grant.id, idempotencyKey: key, keys: tokenKeys, now: now)
            })
    }

    /// With a key the token can be made again, without one it is random.
    private func firstToken(grantID: String, _ key: IdempotencyKey?) -> @Sendable (Int64) -> RefreshToken {
        let newest = tokenKeys.newest
        guard let key else {
            let secret = SecureRandom.bytes(RefreshToken.secretByteCount)
            return { newest.make(locator: $0, generation: 0, secret: secret) }
        }
        return { newest.first(locator: $0, grantID: grantID, idempotencyKey: key.text) }
    }
}
