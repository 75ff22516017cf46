import InternalAPI

/// Revokes all of the bearer's sessions but the current one.
///
/// Returns only once the revocations are durable here and known to Redis.
struct EndOtherSessions: Sendable {
    let bearers: BearerSessions
    let store: any SessionStore
    let publisher: RevocationPublisher
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    func callAsFunction(accessToken: String) async throws -> BearerOutcome<Done> {
        let now = now()
        switch try await bearers.standing(of: accessToken, now: now) {
        case .live(let session, _):
            let revocations = try await store.endAll(
                ofUser: session.userID, except: session.id, reason: .device, now: now)
            try await publisher.publish(revocations)
            RevocationReason.device.count(revocations)
            return .done(Done())
        case .refused, .ended: return .invalidToken
        case .inactive: return .inactive
        }
    }
}
