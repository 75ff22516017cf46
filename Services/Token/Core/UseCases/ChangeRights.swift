internal import InternalAPI

/// Gives all live sessions of a user another role (design section 4, *Epoch*).
///
/// Their access tokens of before are refused everywhere, a refresh brings a token with the new role, and a grant of
/// before is resolved again. Safe to repeat, and in any order: the highest version stands.
struct ChangeRights: Sendable {
    let store: any SessionStore
    let claims: ClaimsSeal
    let publisher: RevocationPublisher
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Returns once the change is durable here and known to Redis.
    func callAsFunction(_ request: ChangeRightsRequest) async throws {
        let floors = try await store.changeRights(
            ofUser: request.userID, version: request.version, now: now(),
            reseal: { [claims] in try Self.resealed($0, request, claims) })
        try await publisher.publish(floors)
    }

    /// The session's claims with the new role; nil when they are as new already.
    private static func resealed(
        _ session: SessionRecord, _ request: ChangeRightsRequest, _ seal: ClaimsSeal
    ) throws -> [UInt8]? {
        var claims = try seal.open(session.sealedClaims, of: session.id)
        guard claims.version < request.version else { return nil }
        claims.role = request.role
        claims.version = request.version
        return try seal.seal(claims, for: session.id)
    }
}
