import InternalAPI
import Storage

/// Gives all live sessions of a user another role, phone number or email address (design section 4, *Epoch*).
///
/// Their earlier access tokens are refused everywhere, a refresh issues a token with the new role, and an earlier grant has to be
/// resolved again. Safe to repeat, and in any order, since the highest version applies.
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
            guard rights.version < request.version else {
                try await store.confirm()
                return .held(())
            }
            let change = RightsChange(
                userID: request.userID, version: request.version, sealedClaims: try resealed(rights.sessions, request))
            return try await store.apply(change, on: rights, now: now).yielding(())
        }
        try await publisher.publish(try await revocations.unpublishedFloors(ofUser: request.userID))
    }

    /// Returns the claims with the new role, for the sessions whose claims are older.
    private func resealed(
        _ sessions: [SessionRecord], _ request: ChangeRightsRequest
    ) throws -> [SessionID: [UInt8]] {
        var resealed: [SessionID: [UInt8]] = [:]
        for session in sessions {
            var present = try claims.open(session.sealedClaims, of: session.id)
            guard present.version < request.version else { continue }
            present.role = request.role
            if let phone = request.phone { present.phone = phone }
            if let email = request.email { present.email = email }
            present.version = request.version
            resealed[session.id] = try claims.seal(present, for: session.id)
        }
        return resealed
    }
}
