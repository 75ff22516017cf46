import InternalAPI
import Storage

/// Gives all live sessions of a user other claims, such as another role (design section 4, *Epoch*).
///
/// Their earlier access tokens are refused everywhere, unless the change leaves them right, and the sessions in which the user acts
/// as others end. A refresh issues a token with the new claims, and an earlier grant has to be resolved again. Safe to repeat, and
/// in any order, since the highest version applies.
struct ChangeRights: Sendable {
    let store: any SessionStore
    let revocations: any RevocationStore
    let claims: ClaimsSeal
    let publisher: RevocationPublisher
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Returns once the change is durable here and known to Redis.
    func callAsFunction(_ request: ChangeRightsRequest) async throws {
        let now = now()
        try await Decision.untilItHolds { () async throws -> Attempt<Void> in
            let rights = try await store.rights(ofUser: request.userID)
            let (version, keepsTokens) = (request.claims.version, request.keepsTokens == true)
            // A change that arrives after a later one still ends the tokens from before it: the later one may have kept them.
            guard rights.version < version || (rights.version > version && !keepsTokens) else {
                try await store.confirm()
                return .held(())
            }
            let change = RightsChange(
                userID: request.userID, version: version, keepsTokens: keepsTokens,
                lowersFactors: request.lowersFactors == true,
                sealedClaims: try resealed(rights.sessions, request.claims))
            return try await store.apply(change, on: rights, now: now).yielding(())
        }
        let ended = request.keepsTokens == true ? [] : try await store.endActing(by: request.userID, now: now)
        try await publisher.publish(try await revocations.unpublishedFloors(ofUser: request.userID))
        try await publisher.publish(ended)
        RevocationReason.admin.count(ended)
    }

    /// Returns the new claims, for the sessions whose claims are older.
    private func resealed(_ sessions: [SessionRecord], _ changed: UserClaims) throws -> [SessionID: [UInt8]] {
        var resealed: [SessionID: [UInt8]] = [:]
        for session in sessions {
            let present = try claims.open(session.sealedClaims, of: session.id)
            guard present.version < changed.version else { continue }
            // user-service does not know which session at the old server each one continues.
            var next = changed
            next.previous = present.previous
            resealed[session.id] = try claims.seal(next, for: session.id)
        }
        return resealed
    }
}
